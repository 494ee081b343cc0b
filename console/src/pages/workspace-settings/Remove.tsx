import { useChange } from '../../api/change.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import styles from './settings.module.css';
import * as texts from './texts.ts';

interface RemoveProps {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Removes an entry without confirmation: it can be added again immediately. */
export function Remove({ name, run }: RemoveProps) {
  const remove = useChange(run, () => announce(texts.removed(name)));
  return (
    <span className={styles.does}>
      {remove.error && <span role="alert">{remove.error.message}</span>}
      <Button
        look="small"
        aria-label={texts.remove(name)}
        off={remove.isPending && texts.removing}
        onClick={() => remove.mutate()}
      >
        {texts.remove2}
      </Button>
    </span>
  );
}
