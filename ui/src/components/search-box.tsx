import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.tsx";

/** A pause in typing after which the search goes out. */
const PAUSE_MILLIS = 200;

interface SearchBoxProps {
  label: string;
  value: string;
  placeholder?: string;
  change: (text: string) => void;
}

export function SearchBox({ label, value, placeholder, change }: SearchBoxProps): JSX.Element {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change(next), PAUSE_MILLIS);
  };
  return (
    <label class="search">
      <span class="unseen">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        value={text}
        placeholder={placeholder ?? label}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
