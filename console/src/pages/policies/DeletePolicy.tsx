import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { useMay } from '../../shell/may.ts';
import explain from './explain.module.css';
import { summaryOf, type Uses } from './UsedBy.tsx';

const LASTING = new Set(['root', 'default', 'response-wrapping']);

/** The end of a policy, and what that takes from whom. */
export function DeletePolicy({ name, uses }: { readonly name: string; readonly uses: Uses | undefined }) {
  const path = `sys/policies/acl/${name}`;
  const may = useMay([path]);
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => access.send('DELETE /sys/policies/acl/{name}', { path: { name } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      await navigate({ to: '/~access/policies' });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  if (LASTING.has(name) || !may(path, 'delete')) return null;
  return (
    <div className={explain.part}>
      <Button look="danger" onClick={() => setAsks(true)}>
        Delete…
      </Button>
      {asks && (
        <AskDialog
          title={`Delete ${name}`}
          action="Delete the policy"
          destroys
          off={typed === name ? undefined : 'Type its name first'}
          onAction={() => remove.mutate()}
          onClose={() => setAsks(false)}
          busy={remove.isPending}
          fault={remove.error}
        >
          {uses && <p>{summaryOf(uses)} would give it no more.</p>}
          <p>
            Tokens and roles that name it keep the name, and lose what it gave, from their next request on. A policy of
            the same name gives it back.
          </p>
          <Field label="Name of the policy" value={typed} onText={setTyped} autoComplete="off" />
        </AskDialog>
      )}
    </div>
  );
}
