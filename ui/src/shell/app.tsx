import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { session } from "../api/client.ts";
import { ActivityPage } from "../pages/activity.tsx";
import { OverviewPage } from "../pages/overview/overview.tsx";
import { PagePage } from "../pages/page/page.tsx";
import { PagesPage } from "../pages/pages.tsx";
import { PoliciesPage } from "../pages/policies.tsx";
import { SitesPage } from "../pages/sites.tsx";
import { Link, usePlace } from "../router.tsx";
import { useStore } from "../store.ts";
import { useKeys } from "./keys.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { Navigation } from "./navigation.tsx";
import { TokenForm } from "./token-form.tsx";
import { Notices } from "./notices.tsx";

function contentOf(path: string): { title: string; content: JSX.Element } {
  const page = /^\/pages\/(\d+)\/?$/.exec(path);
  if (page) return { title: `Page ${page[1]}`, content: <PagePage key={page[1]} id={Number(page[1])} /> };
  switch (path.replace(/\/$/, "")) {
    case "":
      return { title: "Overview", content: <OverviewPage /> };
    case "/sites":
      return { title: "Sites", content: <SitesPage /> };
    case "/pages":
      return { title: "Pages", content: <PagesPage /> };
    case "/policies":
      return { title: "Policies", content: <PoliciesPage /> };
    case "/activity":
      return { title: "Activity", content: <ActivityPage /> };
    default:
      return { title: "Not found", content: <NothingHere /> };
  }
}

function NothingHere(): JSX.Element {
  return (
    <div class="state">
      <h1 tabIndex={-1}>Nothing here</h1>
      <p>
        The dashboard has no page of this address. <Link to="/">Go to the overview</Link>.
      </p>
    </div>
  );
}

export function App(): JSX.Element {
  const { path } = usePlace();
  const { tokenWanted } = useStore(session);
  const help = useKeys();
  const { title, content } = contentOf(path);
  useEffect(() => {
    document.title = `${title} · Recrawl`;
  }, [title]);
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <Navigation path={path} onHelp={help.open} />
      <main id="main" tabIndex={-1}>
        {tokenWanted ? <TokenForm /> : content}
      </main>
      <Notices />
      {help.shown && <KeysDialog onClose={help.close} />}
    </>
  );
}
