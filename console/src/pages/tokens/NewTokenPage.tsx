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
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const CREATE = 'POST /auth/token/create';
const ORPHAN = 'POST /auth/token/create-orphan';
const OF_ROLE = 'POST /auth/token/create/{role}';

const FIRST = { name: '', policies: '', ttl: '1h', type: 'service', uses: '', role: '' };

/** Creates a token. The token is shown once. */
export function NewTokenPage() {
  usePlace([{ label: texts.access }, { label: texts.tokens, to: '/~access/tokens' }, { label: texts.newText }]);
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
      <PageHead title={texts.newToken} lede={texts.thePoliciesOfA} />
      {made ? (
        <div className={styles.made}>
          <Secret what={texts.token} text={made.client_token} onClose={() => create.reset()} />
          {create.data?.warnings?.map((warning) => (
            <p key={warning} className="soft">
              {warning}
            </p>
          ))}
          {made.accessor && (
            <p>
              {texts.accessorIdentifiesTheToken} <Copyable text={made.accessor} what={texts.accessor} />{' '}
              <Link
                className={buttonClass('small')}
                to="/~access/tokens/$accessor"
                params={{ accessor: made.accessor }}
              >
                {texts.openToken}
              </Link>
            </p>
          )}
        </div>
      ) : (
        <Form action={texts.createToken} onSubmit={() => create.mutate()} busy={create.isPending} fault={create.error}>
          <Field label={texts.displayName} value={form.name} onText={change('name')} autoComplete="off" />
          <Field
            label={texts.policies}
            value={form.policies}
            onText={change('policies')}
            autoComplete="off"
            help={texts.separatedByCommasEmpty}
          />
          <Field label={texts.lifetime} value={form.ttl} onText={change('ttl')} help={texts.forExample1h30m} />
          <Select
            label={texts.type}
            value={form.type}
            options={[
              ['service', texts.serviceStoredCanBe],
              ['batch', texts.batchNotStoredExpires],
            ]}
            onText={change('type')}
          />
          <Field
            label={texts.maximumUses}
            inputMode="numeric"
            value={form.uses}
            onText={change('uses')}
            help={texts.numberOfRequestsThat}
          />
          <Field
            label={texts.tokenRole}
            value={form.role}
            onText={change('role')}
            autoComplete="off"
            help={texts.aTokenRoleCan}
          />
          {mayOrphan && (
            <Check
              label={texts.orphan}
              checked={isOrphan}
              onCheck={setWish}
              off={form.role !== '' ? texts.theTokenRoleDefinesThis : !mayChild && texts.youHaveNoPermission}
              help={texts.otherwiseTheTokenIs}
            />
          )}
        </Form>
      )}
    </>
  );
}
