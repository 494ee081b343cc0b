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
import * as texts from './texts.ts';
import { summaryOf, type Uses } from './UsedBy.tsx';

const LASTING = new Set(['root', 'default', 'response-wrapping']);

/** Deletes a policy after a confirmation that shows its uses. */
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
      announce(texts.deleted(name));
      await navigate({ to: '/~access/policies' });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  if (LASTING.has(name) || !may(path, 'delete')) return null;
  return (
    <div className={explain.part}>
      <Button look="danger" onClick={() => setAsks(true)}>
        {texts.deleteText}
      </Button>
      {asks && (
        <AskDialog
          title={texts.deleteText2(name)}
          action={texts.deletePolicy}
          destroys
          off={typed === name ? undefined : texts.typeTheNameToConfirm}
          onAction={() => remove.mutate()}
          onClose={() => setAsks(false)}
          busy={remove.isPending}
          fault={remove.error}
        >
          {uses && <p>{texts.usedBy(summaryOf(uses))}</p>}
          <p>{texts.tokensAndRolesKeep}</p>
          <Field label={texts.nameOfThePolicy} value={typed} onText={setTyped} autoComplete="off" />
        </AskDialog>
      )}
    </div>
  );
}
