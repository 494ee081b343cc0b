import { access } from '../../api/client.ts';
import { day, long, secondsSince } from '../../format/time.ts';
import { endsSoon, type Need } from './need.ts';
import * as texts from './texts.ts';

export const AUDIT = 'sys/audit';
export const sinksQuery = access.query('GET /sys/audit', {});
export const mountsQuery = access.query('GET /sys/internal/ui/mounts', {});

/** Asks for capabilities first, so that the page sends no request that the server would refuse. */
export const mayQuery = (paths: readonly string[]) => access.query('POST /sys/capabilities-self', { body: { paths } });

type Answer<Q extends { queryFn: (...given: never[]) => Promise<unknown> }> = Awaited<ReturnType<Q['queryFn']>>;

/** Paths of certificate mounts, without slashes. */
export function certificateMounts({ data }: Answer<typeof mountsQuery>): string[] {
  return Object.entries(data.auth).flatMap(([path, { type }]) => (type === 'cert' ? [path.replace(/\/$/, '')] : []));
}

/** Audit devices that cannot be written. */
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
            name: texts.auditDevice(path.replace(/\/$/, '')),
            say: texts.thisIsNotWritable(type, description),
            time: null,
          } satisfies Need,
        ],
  );
}

/** Page of details of one mount. For entries that the token may not read, only names are returned. */
const SOME = { list: 'true', detail: true, limit: 100 } as const;
export const listsQuery = (mount: string) =>
  access.query('GET /auth/{cert_mount_path}/crls/', { path: { cert_mount_path: mount }, query: SOME });
export const rolesQuery = (mount: string) =>
  access.query('GET /auth/{cert_mount_path}/certs/', { path: { cert_mount_path: mount }, query: SOME });

/** CRLs of a mount that need attention. */
export const listNeeds = (mount: string, { data }: Answer<ReturnType<typeof listsQuery>>, now: number): Need[] =>
  Object.entries(data.key_info ?? {}).flatMap(([name, list]) => needsOfList(mount, name, list, now));

/** Roles whose CA certificate expires within 30 days. After that no login with the role succeeds. */
export function roleNeeds(mount: string, { data }: Answer<ReturnType<typeof rolesQuery>>, now: number): Need[] {
  return Object.entries(data.key_info ?? {}).flatMap(([name, { authorities }]) =>
    authorities
      .filter(({ not_after: until }) => endsSoon(until, now))
      .map(({ subject, not_after: until }) => ({
        key: `role ${mount} ${name} ${subject} ${until}`,
        group: 'ends' as const,
        icon: 'clock' as const,
        is: 'attention' as const,
        name: texts.role(name),
        say: texts.itsCaExpiresOn(subject, day(until)),
        time: until,
        to: { to: '/~access/roles/$role' as const, params: { role: name }, search: { mount } },
        action: texts.showRole,
      })),
  );
}

type List = NonNullable<Answer<ReturnType<typeof listsQuery>>['data']['key_info']>[string];

/** Problems of a CRL: past its next update, not reachable, or with an invalid signature. */
function needsOfList(mount: string, name: string, list: List, now: number): Need[] {
  const { next_update: until, on_stale: onStale, status } = list;
  const said = [
    ...(status.stale && until
      ? [
          texts.thisCrlIsPast(
            long(secondsSince(until, now)),
            onStale === 'refuse' ? texts.loginsThatNeedIt : texts.itIsStillUsed,
          ),
        ]
      : []),
    ...(status.signature === 'invalid' ? [texts.itsSignatureIsNotValid] : []),
    ...(status.last_error ? [texts.cannotBeFetched(status.last_error)] : []),
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
      action: texts.showCrl,
    },
  ];
}
