import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { useMay } from '../may.ts';

/** How clients log in at a mount: with a certificate, or with a JWT of another issuer. */
export type Method = 'cert' | 'jwt';
const METHODS: Readonly<Record<string, Method>> = { cert: 'cert', jwt: 'jwt', oidc: 'jwt' };

/** Maps a mount type, including its aliases, to its method; undefined for types without roles. */
export const methodOf = (type: string): Method | undefined => METHODS[type];

/**
 * Lists mounts with roles, as paths below `auth/`; undefined if the token may not read `sys/auth`.
 * @param enabled false if the session has no token for the access API
 */
export function useMounts(enabled = true): readonly { readonly path: string; readonly type: Method }[] | undefined {
  const may = useMay(['sys/auth'], enabled);
  const mounts = useQuery({ ...access.query('GET /sys/auth', {}), enabled: enabled && may('sys/auth', 'read') });
  if (!mounts.data) return undefined;
  const data: Readonly<Record<string, unknown>> = mounts.data.data;
  return Object.entries(data).flatMap(([name, one]) => {
    const type = methodOf((one as { type?: string }).type ?? '');
    return type ? [{ path: name.replace(/\/$/, ''), type }] : [];
  });
}

/** Lists mounts of certificate auth methods. */
export function useCertificateMounts(enabled = true): readonly string[] | undefined {
  return useMounts(enabled)?.flatMap(({ path, type }) => (type === 'cert' ? [path] : []));
}
