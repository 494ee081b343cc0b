import { useNavigate } from '@tanstack/react-router';
import { Select } from '../../components/form/Field.tsx';
import * as texts from '../texts.ts';
import { useMounts } from './mounts.ts';

/** Selects the mount whose roles are shown; hidden if only one mount has roles. */
export function RolesOf({ mount }: { readonly mount: string }) {
  const navigate = useNavigate();
  const mounts = useMounts() ?? [];
  if (mounts.length < 2) return null;
  return (
    <Select
      label={texts.mount}
      hideLabel
      value={mount}
      options={mounts.map(({ path, type }) => [path, `auth/${path} (${type})`])}
      onText={(next) => {
        const isOfTokens = mounts.find(({ path }) => path === next)?.type === 'jwt';
        void navigate({ to: isOfTokens ? '/~access/jwt' : '/~access/roles', search: { mount: next } });
      }}
    />
  );
}
