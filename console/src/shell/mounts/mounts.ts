import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { useMay } from '../may.ts';

/** Who logs in at a mount: with a certificate, or with a token of another issuer. */
export type Method = 'cert' | 'jwt';
const METHODS: Readonly<Record<string, Method>> = { cert: 'cert', jwt: 'jwt', oidc: 'jwt' };

/** By the name of its type, which is another for the same; undefined for what has no roles. */
export const methodOf = (type: string): Method | undefined => METHODS[type];

/**
 * Where there are roles, below `auth/`; undefined for whoever may not read what is mounted.
 * @param enabled false where no token of the access API is there
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

/** Those where certificates log in. */
export function useCertificateMounts(enabled = true): readonly string[] | undefined {
  return useMounts(enabled)?.flatMap(({ path, type }) => (type === 'cert' ? [path] : []));
}
