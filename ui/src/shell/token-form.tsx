import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { giveToken, tokenRefused } from "../api/client.ts";

export function TokenForm(): JSX.Element {
  const [token, setToken] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (token.trim() !== "") giveToken(token.trim());
  };
  return (
    <form class="state token-form" onSubmit={submit}>
      <h1 tabIndex={-1}>This server asks for a token</h1>
      {tokenRefused() && <p role="alert">The token given was not taken.</p>}
      <p>
        It is the text in the file named by <code>--token-file</code>. It is kept until this tab is closed.
      </p>
      <label>
        <span>Token</span>
        <input
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          required
        />
      </label>
      <button type="submit" class="primary">
        Go on
      </button>
    </form>
  );
}
