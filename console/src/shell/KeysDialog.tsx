import { Button } from '../components/button/Button.tsx';
import { Dialog } from '../components/dialog/Dialog.tsx';
import { Facts } from '../components/facts/Facts.tsx';
import { Keys } from '../components/path-line/Keys.tsx';
import { useActiveShortcuts } from '../keyboard/shortcuts.ts';

/** Every key that does something on this page. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = useActiveShortcuts();
  return (
    <Dialog title="Keys of this page" onClose={onClose}>
      <Facts of={shortcuts.map(({ keys, label }) => [label, <Keys key={keys} keys={keys} />] as const)} />
      <p>
        <Button onClick={onClose}>Close</Button>
      </p>
    </Dialog>
  );
}
