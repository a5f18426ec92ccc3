/** Style sheets are bundled, not read. */
declare module "*.css";
