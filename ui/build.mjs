// Bundles src/ into the files that the server embeds. The same sources and lock file give the same bytes.
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const assets = fileURLToPath(new URL("../crates/serve/assets/", import.meta.url));

/** The licences of what is bundled; their texts must travel with the copies. */
async function licences(packages) {
  const texts = await Promise.all(
    packages.map(async (name) => {
      const licence = await readFile(`${here}node_modules/${name}/LICENSE`, "utf8");
      const { version } = JSON.parse(await readFile(`${here}node_modules/${name}/package.json`, "utf8"));
      return `${name} ${version}\n\n${licence.trim()}`;
    }),
  );
  return `/*!\n${texts.join("\n\n----\n\n")}\n*/`;
}

await mkdir(assets, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: assets,
  bundle: true,
  format: "iife",
  target: ["es2022"],
  minify: true,
  charset: "utf8",
  legalComments: "inline",
  jsx: "automatic",
  jsxImportSource: "preact",
  banner: { js: await licences(["uplot", "preact"]) },
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) await copyFile(`${here}src/${file}`, `${assets}${file}`);
