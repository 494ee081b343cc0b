import { type Bar, Bars } from '../../components/bars/Bars.tsx';
import { count } from '../../format/number.ts';
import { labelOf, type Point } from './figures.ts';
import * as texts from './texts.ts';

interface Picture {
  readonly label: string;
  readonly names: { readonly value: string; readonly bad?: string };
  readonly value: (point: Point) => number | null;
  readonly bad?: (point: Point) => number;
  readonly format?: (value: number) => string;
  /** Text for a point without a value. */
  readonly none?: string;
}

const ms = (value: number): string => (value >= 1_000 ? `${value / 1_000} s` : texts.ms2(value));

const PICTURES: readonly Picture[] = [
  {
    label: texts.logins,
    names: { value: texts.loginsIncludingRefusedOnes, bad: texts.refused },
    value: ({ logins, refused_logins: refused }) => logins + refused,
    bad: ({ refused_logins: refused }) => refused,
  },
  {
    label: texts.connections,
    names: { value: texts.atTheSameTime },
    value: ({ connections }) => connections,
    none: texts.noMeasurement,
  },
  ...(['access', 'workspaces'] as const).flatMap((half): Picture[] => [
    {
      label: texts.requestsTo(half),
      names: { value: texts.requests, bad: texts.failed },
      value: (point) => point[half].requests,
      bad: (point) => point[half].errors,
    },
    {
      label: texts.n95thPercentileOfThe,
      names: { value: '' },
      value: (point) => point[half].p95_ms,
      format: ms,
      none: texts.noRequests,
    },
  ]),
  {
    label: texts.failedTlsHandshakes,
    names: { value: texts.failed },
    value: ({ handshake_errors: errors }) => errors,
  },
  {
    label: texts.ocspRequests,
    names: { value: texts.requests, bad: texts.withoutAVerifiedResponse },
    value: ({ ocsp_requests: requests }) => requests,
    bad: ({ ocsp_failures: failures }) => failures,
  },
  {
    label: texts.crlFetches,
    names: { value: texts.fetches, bad: texts.failed },
    value: ({ crl_fetches: fetches }) => fetches,
    bad: ({ crl_fetch_failures: failures }) => failures,
  },
];

/** Charts of the metrics, the most used ones first. */
export function Pictures({
  points,
  room,
  stepMs,
}: {
  readonly points: readonly Point[];
  readonly room: number;
  readonly stepMs: number;
}) {
  const before = Array.from({ length: Math.max(0, room - points.length) }, (_, at) =>
    earlier(points, (room - points.length - at) * stepMs),
  );
  return PICTURES.map(({ label, names, value, bad, format = count, none = '' }, at) => (
    <Bars
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      key={at}
      label={label}
      names={names}
      format={format}
      bars={[
        ...before.map((bar): Bar => ({ ...bar, value: 0, text: texts.beforeTheServerStart })),
        ...points.map((point): Bar => {
          const there = value(point);
          return {
            id: point.at,
            label: labelOf(point),
            value: there ?? 0,
            ...(bad && { bad: bad(point) }),
            ...(there === null && { text: none }),
          };
        }),
      ]}
    />
  ));
}

/** A bar before the first point. */
function earlier(points: readonly Point[], ms: number): Pick<Bar, 'id' | 'label'> {
  const at = new Date(Date.parse(points[0]?.at ?? '') - ms).toISOString();
  return { id: at, label: labelOf({ at }) };
}
