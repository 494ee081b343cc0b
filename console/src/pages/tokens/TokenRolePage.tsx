import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { announce } from '../../components/copy/announce.ts';
import { Danger } from '../../components/destroy/Danger.tsx';
import { Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { namesIn } from './names.ts';
import * as texts from './texts.ts';

const READ = 'GET /auth/token/roles/{name}';
const WRITE = 'POST /auth/token/roles/{name}';
const route = getRouteApi('/signed-in/~access/token-roles/role/$role');

/** Page of one token role. */
export function TokenRolePage() {
  const { role: name } = route.useParams();
  const input = { path: { name } };
  const path = `auth/token/roles/${name}`;
  useRolePlace(name);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read ${path}` });
  const role = useQuery(access.query(READ, input));
  const may = useMay([path]);
  return (
    <QueryResult query={role} what={texts.tokenRole2(name)} missing={<Missing capability="read" path={path} />} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={name}
            beside={<span className="soft">{texts.tokenRole3}</span>}
            actions={may(path, 'delete') && <Remove name={name} />}
          />
          <RoleForm
            key={JSON.stringify(data)}
            name={name}
            stored={data}
            off={may(path, 'update') ? undefined : texts.requiresUpdateOn(path)}
          />
        </>
      )}
    </QueryResult>
  );
}

/** Page for a new token role. */
export function NewTokenRolePage() {
  useRolePlace(texts.newText);
  const [name, setName] = useState('');
  const navigate = useNavigate();
  usePathLine({
    request: access.request(WRITE, { path: { name: name || 'NAME' }, body: {} }),
    command: `lockkeeper write auth/token/roles/${name || 'NAME'} allowed_policies=…`,
  });
  return (
    <>
      <PageHead title={texts.newTokenRole} lede={texts.aTokenRoleAllows} />
      <Field label={texts.name} value={name} onText={setName} autoComplete="off" />
      <RoleForm
        name={name}
        off={name === '' ? texts.enterAName : undefined}
        onSaved={() => void navigate({ to: '/~access/token-roles/role/$role', params: { role: name } })}
      />
    </>
  );
}

function useRolePlace(label: string): void {
  usePlace([
    { label: texts.access },
    { label: texts.tokens, to: '/~access/tokens' },
    { label: texts.tokenRoles, to: '/~access/token-roles' },
    { label },
  ]);
}

interface RoleFormProps {
  readonly name: string;
  readonly stored?: Schemas['TokenRole'];
  readonly off?: string | undefined;
  readonly onSaved?: () => void;
}

/** Fields that contain names, separated by commas. */
const LISTS = {
  allowed_policies: texts.allowedPolicies,
  allowed_policies_glob: texts.allowedPoliciesMatchesAnyCharacters,
  disallowed_policies: texts.disallowedPolicies,
  disallowed_policies_glob: texts.disallowedPoliciesMatchesAnyCharacters,
  token_bound_cidrs: texts.allowedIpAddressesOfClients,
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
      announce(texts.saved);
      await queries.invalidateQueries({ queryKey: access.key(READ) });
      await queries.invalidateQueries({ queryKey: access.key('GET /auth/token/roles/') });
      onSaved?.();
    },
  });
  return (
    <Form
      action={stored ? texts.save : texts.createTokenRole}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      off={off}
      fault={save.error}
      done={
        save.isSuccess &&
        [texts.saved, ...((save.data as Schemas['WarningsAnswer'] | undefined)?.warnings ?? [])].join('. ')
      }
    >
      {Object.entries(LISTS).map(([key, label]) => (
        <Field
          key={key}
          label={
            key.endsWith('glob') ? texts.patternsOf(key.startsWith('dis') ? texts.disallowed : texts.allowed) : label
          }
          {...(key.endsWith('glob') && { help: label })}
          value={lists[key as keyof typeof LISTS]}
          autoComplete="off"
          onText={(text) => setLists((before) => ({ ...before, [key]: text }))}
        />
      ))}
      <Select
        label={texts.tokenType}
        value={type}
        options={['default-service', 'default-batch', 'service', 'batch'].map((one) => [one, one])}
        onText={setType}
      />
      <Field label={texts.period} value={period} onText={setPeriod} help={texts.lifetimeThatEachRenewal} />
      <Field label={texts.maximumLifetime} value={most} onText={setMost} help={texts.appliesToAllRenewals} />
      <Check label={texts.orphan} checked={isOrphan} onCheck={setOrphan} />
      <Check label={texts.renewable} checked={isRenewable} onCheck={setRenewable} />
    </Form>
  );
}

function Remove({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  return (
    <Danger
      button={texts.deleteText}
      title={texts.deleteText2(name)}
      action={texts.deleteTokenRole}
      run={() => access.send('DELETE /auth/token/roles/{name}', { path: { name } })}
      done={texts.deleted(name)}
      onDone={() => navigate({ to: '/~access/token-roles' })}
    >
      <p>{texts.itsTokensStayValid}</p>
    </Danger>
  );
}
