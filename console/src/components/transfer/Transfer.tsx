import type { Progress } from '../../api/transfer.ts';
import { bytes } from '../../format/number.ts';
import { short } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import * as texts from './texts.ts';
import styles from './transfer.module.css';

interface TransferProps {
  /** Name of the file: `terraform.tfstate`. */
  readonly what: string;
  readonly progress: Progress & { readonly began: number };
  readonly onCancel: () => void;
}

/** Progress of an upload, with the estimated remaining time and a cancel button. */
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
        aria-label={texts.uploadOf(what)}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <p className={styles.rest}>
        <span className="soft">
          {texts.ofText(
            bytes(done),
            bytes(total),
            share < 1 ? leftOf(done, total, performance.now() - began) : texts.storing,
          )}
        </span>
        <Button look="small" onClick={onCancel}>
          {texts.cancelUpload}
        </Button>
      </p>
    </div>
  );
}

/** Returns no estimate in the first second, because it would be unreliable. */
function leftOf(done: number, total: number, milliseconds: number): string {
  if (milliseconds < 1_000 || done === 0) return '';
  return texts.left(short((((total - done) / done) * milliseconds) / 1_000));
}
