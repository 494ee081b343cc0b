import { Button } from '../components/button/Button.tsx';
import { Dialog } from '../components/dialog/Dialog.tsx';
import { Facts } from '../components/facts/Facts.tsx';
import { Keys } from '../components/path-line/Keys.tsx';
import { useActiveShortcuts } from '../keyboard/shortcuts.ts';
import { PALETTE_KEYS } from './palette/PaletteButton.tsx';
import * as texts from './texts.ts';

/** Lists every keyboard shortcut of the current page. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  // The palette also opens while the user types, so its keys are not among the shortcuts.
  const shortcuts = [{ keys: PALETTE_KEYS, label: texts.search.toLowerCase() }, ...useActiveShortcuts()];
  return (
    <Dialog title={texts.keysOfThisPage} onClose={onClose}>
      <Facts of={shortcuts.map(({ keys, label }) => [label, <Keys key={keys} keys={keys} />] as const)} />
      <p>
        <Button onClick={onClose}>{texts.close}</Button>
      </p>
    </Dialog>
  );
}
