import { access } from '../../api/client.ts';
import { day, long, secondsSince } from '../../format/time.ts';
import { endsSoon, type Need } from './need.ts';

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

/** Of one mount, so many; what the token may not read is there by its name alone. */
const SOME = { list: 'true', detail: true, limit: 100 } as const;
export const listsQuery = (mount: string) =>
  access.query('GET /auth/{cert_mount_path}/crls/', { path: { cert_mount_path: mount }, query: SOME });
export const rolesQuery = (mount: string) =>
  access.query('GET /auth/{cert_mount_path}/certs/', { path: { cert_mount_path: mount }, query: SOME });

/** Revocation lists of a mount that somebody has to look at. */
export const listNeeds = (mount: string, { data }: Answer<ReturnType<typeof listsQuery>>, now: number): Need[] =>
  Object.entries(data.key_info ?? {}).flatMap(([name, list]) => needsOfList(mount, name, list, now));

/** Roles whose authority ends within a month: then nobody comes in by it. */
export function roleNeeds(mount: string, { data }: Answer<ReturnType<typeof rolesQuery>>, now: number): Need[] {
  return Object.entries(data.key_info ?? {}).flatMap(([name, { authorities }]) =>
    authorities
      .filter(({ not_after: until }) => endsSoon(until, now))
      .map(({ subject, not_after: until }) => ({
        key: `role ${mount} ${name} ${subject} ${until}`,
        group: 'ends' as const,
        icon: 'clock' as const,
        is: 'attention' as const,
        name: `role ${name}`,
        say: `its authority ${subject} ends on ${day(until)}`,
        time: until,
        to: { to: '/~access/roles/$role' as const, params: { role: name }, search: { mount } },
        action: 'Role',
      })),
  );
}

type List = NonNullable<Answer<ReturnType<typeof listsQuery>>['data']['key_info']>[string];

/** A list that is past its next update, cannot be fetched or proves nothing. */
function needsOfList(mount: string, name: string, list: List, now: number): Need[] {
  const { next_update: until, on_stale: onStale, status } = list;
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
  return [
    {
      key: `list ${mount} ${name}`,
      group: 'broken',
      icon: 'crl',
      is: 'bad',
      name,
      say,
      time,
      to: { to: '/~access/revocation-lists', search: { mount } },
      action: 'List',
    },
  ];
}
