import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { namesIn } from './names.ts';

const READ = 'GET /auth/token/roles/{name}';
const WRITE = 'POST /auth/token/roles/{name}';
const route = getRouteApi('/signed-in/~access/token-roles/role/$role');

/** One token role, to be changed. */
export function TokenRolePage() {
  const { role: name } = route.useParams();
  const input = { path: { name } };
  const path = `auth/token/roles/${name}`;
  useRolePlace(name);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read ${path}` });
  const role = useQuery(access.query(READ, input));
  const may = useMay([path]);
  return (
    <Answered query={role} what={`Token role ${name}`} missing={<Missing capability="read" path={path} />} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={name}
            beside={<span className="soft">token role</span>}
            actions={may(path, 'delete') && <Remove name={name} />}
          />
          <RoleForm
            key={JSON.stringify(data)}
            name={name}
            stored={data}
            off={may(path, 'update') ? undefined : `update on ${path} is missing`}
          />
        </>
      )}
    </Answered>
  );
}

/** A token role that is not there yet. */
export function NewTokenRolePage() {
  useRolePlace('New');
  const [name, setName] = useState('');
  const navigate = useNavigate();
  usePathLine({
    request: access.request(WRITE, { path: { name: name || 'NAME' }, body: {} }),
    command: `lockkeeper write auth/token/roles/${name || 'NAME'} allowed_policies=…`,
  });
  return (
    <>
      <PageHead
        title="New token role"
        lede="Who may use it makes tokens with policies that they need not have themselves."
      />
      <Field label="Name" value={name} onText={setName} autoComplete="off" />
      <RoleForm
        name={name}
        off={name === '' ? 'Give it a name' : undefined}
        onSaved={() => void navigate({ to: '/~access/token-roles/role/$role', params: { role: name } })}
      />
    </>
  );
}

function useRolePlace(label: string): void {
  usePlace([
    { label: 'Access' },
    { label: 'Tokens', to: '/~access/tokens' },
    { label: 'Token roles', to: '/~access/token-roles' },
    { label },
  ]);
}

interface RoleFormProps {
  readonly name: string;
  readonly stored?: Schemas['TokenRole'];
  readonly off?: string | undefined;
  readonly onSaved?: () => void;
}

/** Fields that are names with commas between. */
const LISTS = {
  allowed_policies: 'Policies that its tokens may have',
  allowed_policies_glob: 'The same, with * for any text',
  disallowed_policies: 'Policies that they may not have',
  disallowed_policies_glob: 'The same, with * for any text',
  token_bound_cidrs: 'Addresses that they can be used from',
} as const;

function RoleForm({ name, stored, off, onSaved }: RoleFormProps) {
  const [lists, setLists] = useState<Readonly<Record<keyof typeof LISTS, string>>>(
    () =>
      Object.fromEntries(
        Object.keys(LISTS).map((key) => [key, (stored?.[key as keyof typeof LISTS] ?? []).join(', ')]),
      ) as never,
  );
  const [type, setType] = useState(stored?.token_type ?? 'default-service');
  const [period, setPeriod] = useState(String(stored?.token_period || ''));
  const [most, setMost] = useState(String(stored?.token_explicit_max_ttl || ''));
  const [isOrphan, setOrphan] = useState(stored?.orphan ?? false);
  const [isRenewable, setRenewable] = useState(stored?.renewable ?? true);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const named = Object.fromEntries(Object.entries(lists).map(([key, text]) => [key, namesIn(text)]));
      const body = {
        ...named,
        token_type: type,
        token_period: period || '0',
        token_explicit_max_ttl: most || '0',
        orphan: isOrphan,
        renewable: isRenewable,
      };
      return access.send(WRITE, { path: { name }, body });
    },
    onSuccess: async () => {
      announce('Saved');
      await queries.invalidateQueries({ queryKey: access.key(READ) });
      await queries.invalidateQueries({ queryKey: access.key('GET /auth/token/roles/') });
      onSaved?.();
    },
  });
  return (
    <Form
      action={stored ? 'Save' : 'Create the token role'}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      off={off}
      fault={save.error}
      done={
        save.isSuccess &&
        ['Saved', ...((save.data as Schemas['WarningsAnswer'] | undefined)?.warnings ?? [])].join('. ')
      }
    >
      {Object.entries(LISTS).map(([key, label]) => (
        <Field
          key={key}
          label={key.endsWith('glob') ? `${key.startsWith('dis') ? 'Forbidden' : 'Allowed'} patterns` : label}
          {...(key.endsWith('glob') && { help: label })}
          value={lists[key as keyof typeof LISTS]}
          autoComplete="off"
          onText={(text) => setLists((before) => ({ ...before, [key]: text }))}
        />
      ))}
      <Select
        label="Kind"
        value={type}
        options={['default-service', 'default-batch', 'service', 'batch'].map((one) => [one, one])}
        onText={setType}
      />
      <Field
        label="Period"
        value={period}
        onText={setPeriod}
        help="What each renewal gives. Nothing: they are not periodic."
      />
      <Field
        label="Lives at most"
        value={most}
        onText={setMost}
        help="However often it is renewed. Nothing: as the server says."
      />
      <Check label="Without a parent" checked={isOrphan} onCheck={setOrphan} />
      <Check label="Renewable" checked={isRenewable} onCheck={setRenewable} />
    </Form>
  );
}

function Remove({ name }: { readonly name: string }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => access.send('DELETE /auth/token/roles/{name}', { path: { name } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      await navigate({ to: '/~access/token-roles' });
      await queries.invalidateQueries({ queryKey: access.key('GET /auth/token/roles/') });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsks(true)}>
        Delete…
      </Button>
      {asks && (
        <AskDialog
          title={`Delete ${name}`}
          action="Delete the token role"
          destroys
          onAction={() => remove.mutate()}
          onClose={() => setAsks(false)}
          busy={remove.isPending}
          fault={remove.error}
        >
          <p>Its tokens live on, and can no longer be renewed.</p>
        </AskDialog>
      )}
    </>
  );
}
