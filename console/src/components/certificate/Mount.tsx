import { Select } from '../form/Field.tsx';

interface MountProps {
  readonly mount: string;
  /** Where certificates log in, as far as that is known. */
  readonly mounts: readonly string[] | undefined;
  readonly onMount: (mount: string) => void;
}

/** Where a certificate logs in, if there is a choice. */
export function Mount({ mount, mounts = [], onMount }: MountProps) {
  if (mounts.length < 2) return null;
  return (
    <Select label="Mount" value={mount} options={mounts.map((name) => [name, `auth/${name}/`])} onText={onMount} />
  );
}
