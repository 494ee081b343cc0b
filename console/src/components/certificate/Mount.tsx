import { Select } from '../form/Field.tsx';
import * as texts from './texts.ts';

interface MountProps {
  readonly mount: string;
  /** Paths of certificate mounts; undefined if the token may not list mounts. */
  readonly mounts: readonly string[] | undefined;
  readonly onMount: (mount: string) => void;
}

/** Selects the mount at which a certificate logs in; hidden if there is only one. */
export function Mount({ mount, mounts = [], onMount }: MountProps) {
  if (mounts.length < 2) return null;
  return (
    <Select
      label={texts.mount}
      value={mount}
      options={mounts.map((name) => [name, `auth/${name}/`])}
      onText={onMount}
    />
  );
}
