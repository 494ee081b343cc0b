import { useId } from 'react';
import styles from './bars.module.css';
import * as texts from './texts.ts';

/** One bar: an hour or a run. */
export interface Bar {
  readonly id: string;
  /** Label of the bar: `09:00`. */
  readonly label: string;
  readonly value: number;
  /** Failed part of the value, drawn at the bottom in another pattern. */
  readonly bad?: number;
  /** Text for screen readers instead of the numbers: `4 min 12 s, errored`. */
  readonly text?: string;
}

interface BarsProps {
  /** Heading of the chart: `Logins and refusals an hour`. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Units of the numbers for screen readers: `logins`, `refused`. */
  readonly names: { readonly value: string; readonly bad?: string };
  readonly format?: (value: number) => string;
}

const HEIGHT = 72;
const WIDTH = 10;
/** Minimum height of a value above zero, so that it stays visible, pixels. */
const LEAST = 2;
const EDGE = 2;

/** Bar chart, with a list of the same values for screen readers. */
export function Bars({ label, bars, names, format = String }: BarsProps) {
  const id = useId();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT));
  return (
    <figure className={styles.figure}>
      <figcaption id={id}>
        {label} <span className="soft">{texts.upTo(format(most))}</span>
      </figcaption>
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((bar, at) => (
          <g key={bar.id}>
            <title>{textOf(bar, names, format)}</title>
            <rect className={styles.room} x={at * WIDTH} width={WIDTH} height={HEIGHT} />
            <Water at={at} height={heightOf(bar.value)} look={styles.value} />
            {Boolean(bar.bad) && <Water at={at} height={heightOf(bar.bad ?? 0)} look={styles.bad} />}
          </g>
        ))}
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <ol className="sr" aria-labelledby={id}>
        {bars.map((bar) => (
          <li key={bar.id}>{textOf(bar, names, format)}</li>
        ))}
      </ol>
    </figure>
  );
}

/** Filled part of a bar, with a darker upper edge. */
function Water({
  at,
  height,
  look,
}: {
  readonly at: number;
  readonly height: number;
  readonly look: string | undefined;
}) {
  const place = { x: at * WIDTH + 1, width: WIDTH - 2 };
  return (
    <g className={look}>
      <rect {...place} y={HEIGHT - height} height={height} />
      <rect {...place} y={HEIGHT - height} height={Math.min(height, EDGE)} className={styles.edge} />
    </g>
  );
}

function textOf(
  { label, value, bad, text }: Bar,
  names: BarsProps['names'],
  format: (value: number) => string,
): string {
  if (text !== undefined) return `${label}: ${text}`;
  const wrong = names.bad && bad !== undefined ? `, ${format(bad)} ${names.bad}` : '';
  return `${label}: ${format(value)} ${names.value}${wrong}`;
}
