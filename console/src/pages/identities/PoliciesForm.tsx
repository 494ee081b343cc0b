import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import styles from './identities.module.css';
import * as texts from './texts.ts';

interface PoliciesFormProps {
  readonly policies: readonly string[];
  readonly save: (policies: readonly string[]) => Promise<unknown>;
}

/** Form for the policies that an entity or a group adds to tokens. */
export function PoliciesForm({ policies, save }: PoliciesFormProps) {
  const before = policies.join(', ');
  const [text, setText] = useState(before);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => save(text.split(/[,\s]+/).filter((name) => name !== '')),
    onSuccess: async () => {
      announce(texts.saved);
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <div className={styles.form}>
      <Form
        action={texts.save}
        isPrimary={false}
        onSubmit={() => change.mutate()}
        busy={change.isPending}
        off={text === before && texts.noChanges}
        fault={change.error}
      >
        <Field
          label={texts.names}
          value={text}
          onText={setText}
          autoComplete="off"
          help={texts.separateNamesWithCommas}
        />
      </Form>
    </div>
  );
}
