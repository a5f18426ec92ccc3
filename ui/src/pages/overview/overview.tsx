import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { onEvents } from "../../api/events.ts";
import { useResource } from "../../api/resource.ts";
import type { Overview } from "../../api/types.ts";
import { setClock } from "../../clock.ts";
import { PageHead } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { Ago } from "../../components/values.tsx";
import { plural } from "../../format/numbers.ts";
import { AddPages } from "./add-pages.tsx";
import { BudgetPanel } from "./budget.tsx";
import { DuePanel } from "./due.tsx";
import { ForecastPanel } from "./forecast.tsx";
import { ActivityChart, AgeChart, FreshnessChart } from "./series.tsx";
import { Tiles } from "./tiles.tsx";

/** Visits may come hundreds a second; the overview is asked for at most this often. */
const REFRESH_MILLIS = 4_000;
/** Freshness falls while nothing happens, so it is asked for now and then all the same. */
const IDLE_REFRESH_MILLIS = 60_000;

function useFresh(reload: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvents(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!document.hidden) reload();
      }, REFRESH_MILLIS);
    });
    const idle = setInterval(() => !document.hidden && reload(), IDLE_REFRESH_MILLIS);
    return () => {
      stop();
      clearTimeout(timer);
      clearInterval(idle);
    };
  }, [reload]);
}

function Lead({ data }: { data: Overview }): JSX.Element {
  const pages = data.pages.watched + data.pages.paused + data.pages.gone;
  return (
    <>
      {data.mode === "watch" ? "Watching " : "Reading a store of "}
      {plural(pages, "page")} on {plural(data.sites, "site")}
      {data.policy && (
        <>
          {" "}
          by the policy <code>{data.policy}</code>
        </>
      )}
      {data.mode === "serve" && <>; no watcher is running here</>}, as of <Ago time={data.as_of} />.
    </>
  );
}

function Filled({ data, onAdded }: { data: Overview; onAdded: () => void }): JSX.Element {
  return (
    <>
      <Tiles data={data} />
      <div class="grid grid-main">
        <FreshnessChart series={data.series} />
        <BudgetPanel data={data} />
        <AgeChart series={data.series} />
        <ActivityChart buckets={data.activity} />
        <ForecastPanel forecast={data.forecast} />
        <DuePanel due={data.due} mode={data.mode} />
        <AddPages onAdded={onAdded} />
      </div>
    </>
  );
}

export function OverviewPage(): JSX.Element {
  const overview = useResource<Overview>("/overview");
  useFresh(overview.reload);
  const data = overview.data;
  useEffect(() => {
    if (data) setClock(data.now);
  }, [data]);
  const empty = data !== null && Object.values(data.pages).every((number) => number === 0);
  return (
    <>
      <PageHead title="Overview" lead={data && !empty ? <Lead data={data} /> : "\u00a0"} />
      <Show resource={overview} lines={12}>
        {(shown) =>
          empty ? (
            <>
              <Empty title="This store has no pages yet">
                <p>
                  Add addresses below, or start a watch with <code>recrawl watch urls.txt --budget 2000/d --serve</code>
                  . Once pages have been visited, this is where you see how fresh the collection is and why each visit
                  happens.
                </p>
              </Empty>
              <AddPages onAdded={overview.reload} />
            </>
          ) : (
            <Filled data={shown} onAdded={overview.reload} />
          )
        }
      </Show>
    </>
  );
}
