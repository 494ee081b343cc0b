import { ConfigError } from './config-error.ts';
import type { ConfigTree } from './config-schema.ts';
import { splitAddress } from './host-address.ts';

/** Where the audit record goes. */
export type AuditSinkConfig =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'stdout' }
  | { readonly type: 'syslog'; readonly address: SyslogAddress; readonly facility: Facility };

type SyslogAddress =
  | { readonly transport: 'udp' | 'tcp'; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

type Tree = NonNullable<NonNullable<ConfigTree['audit']>['sinks']>[number];
type Facility = NonNullable<Tree['facility']>;

/** The members that each type has beside it. */
const MEMBERS = { file: ['path'], stdout: [], syslog: ['address', 'facility'] } as const;

/**
 * One sink, with what belongs to its type and nothing else.
 * @param key `audit.sinks[0]`
 * @throws ConfigError
 */
export function toAuditSink(sink: Tree, key: string, at: (path: string) => string): AuditSinkConfig {
  const { type, path, address, facility = 'auth' } = sink;
  const members: readonly string[] = MEMBERS[type];
  const stray = (['path', 'address', 'facility'] as const).find((name) => name in sink && !members.includes(name));
  if (stray)
    throw new ConfigError(`${key}.${stray}: found beside type ${type}; allowed: ${members.join(', ') || 'none'}`);
  if (type === 'stdout') return { type };
  if (type === 'file') {
    if (path === undefined) throw new ConfigError(`${key}.path: missing; allowed: a path`);
    return { type, path: at(path) };
  }
  if (address === undefined)
    throw new ConfigError(`${key}.address: missing; allowed: udp://HOST:PORT, tcp://HOST:PORT, unix:///PATH`);
  return { type, address: toSyslogAddress(address, `${key}.address`), facility };
}

function toSyslogAddress(text: string, key: string): SyslogAddress {
  const [transport = '', rest = ''] = text.split('://');
  if (transport === 'unix') return { transport, path: rest };
  return { transport: transport === 'udp' ? 'udp' : 'tcp', ...splitAddress(rest, key) };
}
