import { access } from '../../api/client.ts';
import { long, secondsSince } from '../../format/time.ts';
import type { Need } from './need.ts';

export const AUDIT = 'sys/audit';
export const sinksQuery = access.query('GET /sys/audit', {});
export const mountsQuery = access.query('GET /sys/internal/ui/mounts', {});

/** What is asked first: nobody is to see a refusal of what nobody asked for. */
export const mayQuery = (paths: readonly string[]) => access.query('POST /sys/capabilities-self', { body: { paths } });

type Answer<Q extends { queryFn: (...given: never[]) => Promise<unknown> }> = Awaited<ReturnType<Q['queryFn']>>;

/** The mounts of the certificate method, without slashes around them. */
export function certificateMounts({ data }: Answer<typeof mountsQuery>): string[] {
  return Object.entries(data.auth).flatMap(([path, { type }]) => (type === 'cert' ? [path.replace(/\/$/, '')] : []));
}

/** What the record cannot be written to. */
export function sinkNeeds({ data }: Answer<typeof sinksQuery>): Need[] {
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

/** Of one revocation list; its entries are many, and one is the fewest that can be asked for. */
export const listQuery = (mount: string, name: string) =>
  access.query('GET /auth/{cert_mount_path}/crls/{name}', {
    path: { cert_mount_path: mount, name },
    query: { limit: 1 },
  });
export const listsQuery = (mount: string, limit: number) =>
  access.query('GET /auth/{cert_mount_path}/crls/', {
    path: { cert_mount_path: mount },
    query: { list: 'true', limit, empty: true },
  });

/** A list that is past its next update, cannot be fetched or proves nothing. */
export function listNeeds(
  mount: string,
  name: string,
  { data }: Answer<ReturnType<typeof listQuery>>,
  now: number,
): Need[] {
  const { next_update: until, on_stale: onStale, status } = data;
  const said = [
    ...(status.stale && until
      ? [
          `this list is ${long(secondsSince(until, now))} past its next update${onStale === 'refuse' ? '; logins that need it are refused' : ', and still used'}`,
        ]
      : []),
    ...(status.signature === 'invalid' ? ['its signature is not that of its issuer'] : []),
    ...(status.last_error ? [`cannot be fetched: ${status.last_error}`] : []),
  ];
  if (said.length === 0) return [];
  const say = said.join('; ');
  const time = status.stale ? until : null;
  return [{ key: `list ${mount} ${name}`, group: 'broken', icon: 'crl', is: 'bad', name, say, time }];
}
