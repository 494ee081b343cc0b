import { useQuery } from '@tanstack/react-query';
import { access } from '../api/client.ts';

const ASK = 'POST /sys/capabilities-self';

/**
 * What the token of the session may do with paths of the access API. Nothing, as long as nobody knows: no button is there that
 * would be refused.
 * @param enabled false where no token of that API is there
 */
export function useMay(
  paths: readonly string[],
  enabled = true,
): (path: string, ...capabilities: readonly string[]) => boolean {
  const { data } = useQuery({
    ...access.query(ASK, { body: { paths } }),
    staleTime: 30_000,
    enabled: enabled && paths.length > 0,
  });
  return (path, ...capabilities) => {
    const given = data?.data[path];
    return Array.isArray(given) && (given.includes('root') || capabilities.some((one) => given.includes(one)));
  };
}
