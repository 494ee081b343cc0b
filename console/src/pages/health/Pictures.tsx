import { type Bar, Bars } from '../../components/bars/Bars.tsx';
import { count } from '../../format/number.ts';
import { labelOf, type Point } from './figures.ts';

interface Picture {
  readonly label: string;
  readonly names: { readonly value: string; readonly bad?: string };
  readonly value: (point: Point) => number | null;
  readonly bad?: (point: Point) => number;
  readonly format?: (value: number) => string;
  /** Where there is no value. */
  readonly none?: string;
}

const ms = (value: number): string => (value >= 1_000 ? `${value / 1_000} s` : `${value} ms`);

const PICTURES: readonly Picture[] = [
  {
    label: 'Logins',
    names: { value: 'logins, refused ones included', bad: 'refused' },
    value: ({ logins, refused_logins: refused }) => logins + refused,
    bad: ({ refused_logins: refused }) => refused,
  },
  {
    label: 'Connections',
    names: { value: 'at one time' },
    value: ({ connections }) => connections,
    none: 'nobody looked',
  },
  ...(['access', 'workspaces'] as const).flatMap((half): Picture[] => [
    {
      label: `Requests to ${half}`,
      names: { value: 'requests', bad: 'failed' },
      value: (point) => point[half].requests,
      bad: (point) => point[half].errors,
    },
    {
      label: `95 of 100 of them within`,
      names: { value: '' },
      value: (point) => point[half].p95_ms,
      format: ms,
      none: 'no requests',
    },
  ]),
  {
    label: 'TLS handshakes that failed',
    names: { value: 'failed' },
    value: ({ handshake_errors: errors }) => errors,
  },
  {
    label: 'Asked OCSP responders',
    names: { value: 'requests', bad: 'without a verified answer' },
    value: ({ ocsp_requests: requests }) => requests,
    bad: ({ ocsp_failures: failures }) => failures,
  },
  {
    label: 'Fetched revocation lists',
    names: { value: 'fetches', bad: 'failed' },
    value: ({ crl_fetches: fetches }) => fetches,
    bad: ({ crl_fetch_failures: failures }) => failures,
  },
];

/** What is counted, as one would ask for it: logins first. */
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
        ...before.map((bar): Bar => ({ ...bar, value: 0, text: 'before the start' })),
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

/** So long before the first one. */
function earlier(points: readonly Point[], ms: number): Pick<Bar, 'id' | 'label'> {
  const at = new Date(Date.parse(points[0]?.at ?? '') - ms).toISOString();
  return { id: at, label: labelOf({ at }) };
}
