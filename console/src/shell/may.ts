import { useQuery } from '@tanstack/react-query';
import { access } from '../api/client.ts';

const ASK = 'POST /sys/capabilities-self';

/**
 * Checks capabilities of the session's token on paths of the access API. Returns false until the server has responded,
 * so that no button appears that the server would refuse.
 * @param enabled false if the session has no token for the access API
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
