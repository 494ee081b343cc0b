import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import styles from './identities.module.css';

interface PoliciesFormProps {
  readonly policies: readonly string[];
  readonly save: (policies: readonly string[]) => Promise<unknown>;
}

/** The policies that an entity or a group adds to tokens. */
export function PoliciesForm({ policies, save }: PoliciesFormProps) {
  const before = policies.join(', ');
  const [text, setText] = useState(before);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => save(text.split(/[,\s]+/).filter((name) => name !== '')),
    onSuccess: async () => {
      announce('Saved');
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <div className={styles.form}>
      <Form
        action="Save"
        isPrimary={false}
        onSubmit={() => change.mutate()}
        busy={change.isPending}
        off={text === before && 'Nothing has been changed'}
        fault={change.error}
      >
        <Field
          label="Names"
          value={text}
          onText={setText}
          autoComplete="off"
          help="With commas between. They count from the next request on."
        />
      </Form>
    </div>
  );
}
