import type { Progress } from '../../api/transfer.ts';
import { bytes } from '../../format/number.ts';
import { short } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import styles from './transfer.module.css';

interface TransferProps {
  /** What is on its way: `terraform.tfstate`. */
  readonly what: string;
  readonly progress: Progress & { readonly began: number };
  readonly onCancel: () => void;
}

/** How far something is on its way: bytes, share, what is left, and a way to end it. */
export function Transfer({ what, progress: { done, total, began }, onCancel }: TransferProps) {
  const share = total === 0 ? 1 : done / total;
  const percent = Math.floor(share * 100);
  return (
    <div className={styles.transfer}>
      <p className={styles.what}>
        <code>{what}</code>
        <span className="soft num">{percent} %</span>
      </p>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={`Upload of ${what}`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <p className={styles.rest}>
        <span className="soft">
          {bytes(done)} of {bytes(total)}
          {share < 1 ? leftOf(done, total, performance.now() - began) : ', being stored'}
        </span>
        <Button look="small" onClick={onCancel}>
          Cancel the upload
        </Button>
      </p>
    </div>
  );
}

/** Nothing in the first second: it would not be true. */
function leftOf(done: number, total: number, milliseconds: number): string {
  if (milliseconds < 1_000 || done === 0) return '';
  return `, ${short((((total - done) / done) * milliseconds) / 1_000)} left`;
}
