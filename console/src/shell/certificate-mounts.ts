import { useQuery } from '@tanstack/react-query';
import { access } from '../api/client.ts';
import { useMay } from './may.ts';

/**
 * Where certificates log in, below `auth/`; undefined for whoever may not read what is mounted.
 * @param enabled false where no token of the access API is there
 */
export function useCertificateMounts(enabled = true): readonly string[] | undefined {
  const may = useMay(['sys/auth'], enabled);
  const mounts = useQuery({ ...access.query('GET /sys/auth', {}), enabled: enabled && may('sys/auth', 'read') });
  if (!mounts.data) return undefined;
  const data: Readonly<Record<string, unknown>> = mounts.data.data;
  return Object.entries(data)
    .filter(([, one]) => (one as { type?: string }).type === 'cert')
    .map(([name]) => name.replace(/\/$/, ''));
}
