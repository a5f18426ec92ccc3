import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog; the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const closeOutside = (event: MouseEvent): void => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose} onClick={closeOutside}>
      <div class="dialog-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
