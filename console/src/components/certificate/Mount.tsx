import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { Select } from '../form/Field.tsx';

/** Where certificates log in; a choice for whoever may read what is mounted. */
export function Mount({ mount, onMount }: { readonly mount: string; readonly onMount: (mount: string) => void }) {
  const mounts = useQuery(access.query('GET /sys/auth', {}));
  const data: Readonly<Record<string, unknown>> = mounts.data?.data ?? {};
  const options = Object.entries(data)
    .filter(([, one]) => (one as { type?: string }).type === 'cert')
    .map(([name]) => [name.replace(/\/$/, ''), `auth/${name}`] as const);
  if (options.length < 2) return null;
  return <Select label="Mount" value={mount} options={options} onText={onMount} />;
}
