import styles from './gauge.module.css';

interface GaugeProps {
  /** Start time, ISO 8601. */
  readonly from: string;
  /** End time; null if there is none. */
  readonly to: string | null;
  /** Current time, milliseconds since 1970. */
  readonly now?: number;
}

/** Shows the elapsed part of a period; time beyond its end has another colour. The text beside it says the same. */
export function Gauge({ from, to, now = Date.now() }: GaugeProps) {
  const [begin, end] = [Date.parse(from), to === null ? Number.NaN : Date.parse(to)];
  if (Number.isNaN(end) || end <= begin) return null;
  const all = Math.max(end, now) - begin;
  const shareOf = (time: number) => Math.min(100, Math.max(0, ((time - begin) / all) * 100));
  const [gone, life] = [shareOf(Math.min(now, end)), shareOf(end)];
  return (
    <svg className={styles.gauge} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.all} width={100} height={6} />
      <rect className={styles.gone} width={gone} height={6} />
      {now > end ? (
        <>
          <rect className={styles.past} x={life} width={100 - life} height={6} />
          <rect className={styles.end} x={Math.min(life, 99)} width={0.7} height={6} />
        </>
      ) : (
        <rect className={styles.edge} x={Math.min(gone, 99)} width={0.7} height={6} />
      )}
    </svg>
  );
}
