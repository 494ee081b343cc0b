import { useChange } from '../../api/change.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import styles from './settings.module.css';

interface RemoveProps {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** From a list where it can be added again at once, so nothing is asked. */
export function Remove({ name, run }: RemoveProps) {
  const remove = useChange(run, () => announce(`Removed ${name}`));
  return (
    <span className={styles.does}>
      {remove.error && <span role="alert">{remove.error.message}</span>}
      <Button
        look="small"
        aria-label={`Remove ${name}`}
        off={remove.isPending && 'It is being removed'}
        onClick={() => remove.mutate()}
      >
        Remove
      </Button>
    </span>
  );
}
