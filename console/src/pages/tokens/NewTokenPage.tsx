import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Secret } from '../../components/secret/Secret.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { namesIn } from './names.ts';
import styles from './tokens.module.css';

const CREATE = 'POST /auth/token/create';
const ORPHAN = 'POST /auth/token/create-orphan';
const OF_ROLE = 'POST /auth/token/create/{role}';

const FIRST = { name: '', policies: '', ttl: '1h', type: 'service', uses: '', role: '' };

/** Makes a token; its text is shown once. */
export function NewTokenPage() {
  usePlace([{ label: 'Access' }, { label: 'Tokens', to: '/~access/tokens' }, { label: 'New' }]);
  const may = useMay(['auth/token/create', 'auth/token/create-orphan']);
  const mayOrphan = may('auth/token/create-orphan', 'update');
  const mayChild = may('auth/token/create', 'update');
  const [form, setForm] = useState(FIRST);
  const [wish, setWish] = useState<boolean>();
  const isOrphan = form.role === '' && mayOrphan && (wish ?? (form.type === 'service' || !mayChild));
  const change = (name: keyof typeof FIRST) => (text: string) => setForm((before) => ({ ...before, [name]: text }));
  const body = {
    policies: namesIn(form.policies),
    ...(form.name && { display_name: form.name }),
    ...(form.ttl && { ttl: form.ttl }),
    ...(form.type !== 'service' && { type: form.type }),
    ...(form.uses && { num_uses: Number(form.uses) }),
  };
  usePathLine({
    request: access.request(isOrphan ? ORPHAN : CREATE, { body }),
    command: `lockkeeper write auth/token/create${isOrphan ? '-orphan' : ''} policies=${body.policies.join(',') || 'NAME'} ttl=${form.ttl}`,
  });
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => {
      const role = form.role.trim();
      if (role) return access.send(OF_ROLE, { path: { role }, body });
      return access.send(isOrphan ? ORPHAN : CREATE, { body });
    },
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: access.key('GET /auth/token/accessors/') }),
  });
  const made = create.data?.auth;
  return (
    <>
      <PageHead title="New token" lede="It may do what its policies say, and no more than you may give." />
      {made ? (
        <div className={styles.made}>
          <Secret what="token" text={made.client_token} onClose={() => create.reset()} />
          {create.data?.warnings?.map((warning) => (
            <p key={warning} className="soft">
              {warning}
            </p>
          ))}
          {made.accessor && (
            <p>
              Its accessor names it without being it: <Copyable text={made.accessor} what="accessor" />{' '}
              <Link
                className={buttonClass('small')}
                to="/~access/tokens/$accessor"
                params={{ accessor: made.accessor }}
              >
                Look at it
              </Link>
            </p>
          )}
        </div>
      ) : (
        <Form action="Create the token" onSubmit={() => create.mutate()} busy={create.isPending} fault={create.error}>
          <Field label="Display name" value={form.name} onText={change('name')} autoComplete="off" />
          <Field
            label="Policies"
            value={form.policies}
            onText={change('policies')}
            autoComplete="off"
            help="With commas between. Without any it has those of your token."
          />
          <Field
            label="Lives for"
            value={form.ttl}
            onText={change('ttl')}
            help="1h, 30m, 7d. Nothing: as long as the server gives."
          />
          <Select
            label="Kind"
            value={form.type}
            options={[
              ['service', 'service: stored, can be renewed and revoked'],
              ['batch', 'batch: stored nowhere, ends by itself'],
            ]}
            onText={change('type')}
          />
          <Field
            label="Uses"
            inputMode="numeric"
            value={form.uses}
            onText={change('uses')}
            help="How often it can be used. Nothing: no limit."
          />
          <Field
            label="Token role"
            value={form.role}
            onText={change('role')}
            autoComplete="off"
            help="It says what the token may have, also what you do not have yourself. Nothing: none."
          />
          {mayOrphan && (
            <Check
              label="Without a parent"
              checked={isOrphan}
              onCheck={setWish}
              off={form.role !== '' ? 'The token role says so' : !mayChild && 'You may make no other'}
              help="Else it ends with this session: the token that it comes from does."
            />
          )}
        </Form>
      )}
    </>
  );
}
