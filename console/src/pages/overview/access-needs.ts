import { access } from '../../api/client.ts';
import type { Need } from './need.ts';

/** What is asked first: nobody is to see a refusal of what nobody asked for. */
export const AUDIT = 'sys/audit';
export const mayQuery = access.query('POST /sys/capabilities-self', { body: { paths: [AUDIT] } });
export const sinksQuery = access.query('GET /sys/audit', {});

type Sinks = Awaited<ReturnType<(typeof sinksQuery)['queryFn']>>;

/** What the record cannot be written to. */
export function sinkNeeds({ data }: Sinks): Need[] {
  return Object.entries(data).flatMap(([path, { type, description }]) =>
    description === ''
      ? []
      : [
          {
            key: `sink ${path}`,
            group: 'broken',
            icon: 'audit',
            is: 'bad',
            name: `audit record ${path.replace(/\/$/, '')}`,
            say: `this ${type} cannot be written to: ${description}`,
            time: null,
          } satisfies Need,
        ],
  );
}
