import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiProblem, asProblem, post } from "../../api/client.ts";
import type { AddedPages } from "../../api/types.ts";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/states.tsx";
import { PageLink } from "../../components/values.tsx";
import { plural } from "../../format/numbers.ts";

const SHOWN_PAGES = 10;

/** Lines as in the watcher's files: an address, perhaps `weight=3`, `#` for comments. */
export function parseAddresses(text: string): { url: string; weight?: number }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [url = "", ...rest] = line.split(/\s+/);
      const weight = rest.map((word) => /^weight=(\S+)$/.exec(word)?.[1]).find((value) => value !== undefined);
      return weight === undefined ? { url } : { url, weight: Number(weight) };
    });
}

function Outcome({ added }: { added: AddedPages }): JSX.Element {
  const parts = [
    added.added > 0 && `${plural(added.added, "page")} added`,
    added.back > 0 && `${plural(added.back, "page")} watched again`,
    added.known > 0 && `${plural(added.known, "page")} known already`,
  ].filter(Boolean);
  return (
    <div role="status" class="added">
      <p>{parts.length > 0 ? `${parts.join(", ")}.` : "Nothing to add."}</p>
      <ul>
        {added.pages.slice(0, SHOWN_PAGES).map(({ id, url }) => (
          <li key={id}>
            <PageLink id={id} url={url} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function AddPages({ onAdded }: { onAdded: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [added, setAdded] = useState<AddedPages | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (location.hash !== "#add") return;
    area.current?.scrollIntoView({ block: "center" });
    area.current?.focus();
  }, []);
  const pages = parseAddresses(text);
  const submit = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    setAdded(null);
    post<AddedPages>("/pages", { pages })
      .then(
        (answer) => {
          setAdded(answer);
          setText("");
          onAdded();
        },
        (error: unknown) => setProblem(asProblem(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Panel title="Add pages" class="add-pages">
      <form onSubmit={submit} id="add">
        <label>
          <span>
            Addresses, one a line; <code>weight=3</code> after one makes it count three times as much
          </span>
          <textarea
            ref={area}
            rows={6}
            spellcheck={false}
            value={text}
            placeholder={"https://example.org/news\nhttps://example.org/prices weight=3"}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={busy || pages.length === 0}>
          {busy ? "Adding…" : pages.length > 0 ? `Add ${plural(pages.length, "page")}` : "Add pages"}
        </button>
      </form>
      {problem && <Problem problem={problem} />}
      {added && <Outcome added={added} />}
    </Panel>
  );
}
