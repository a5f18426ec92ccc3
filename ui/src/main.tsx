import "uplot/dist/uPlot.min.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/panels.css";
import "./styles/tables.css";
import "./styles/charts.css";
import "./styles/page.css";
import { render } from "preact";
import { startEvents } from "./api/events.ts";
import { startClock } from "./clock.ts";
import { App } from "./shell/app.tsx";
import { startTheme } from "./theme.ts";

startTheme();
document.addEventListener("DOMContentLoaded", () => {
  render(<App />, document.getElementById("app")!);
  startEvents();
  startClock();
});
