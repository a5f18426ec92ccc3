import { useEffect, useRef, useState } from "preact/hooks";

/** The width of an element, as it changes. */
export function useWidth<Kind extends Element>(): [{ current: Kind | null }, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    setWidth(watched.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
