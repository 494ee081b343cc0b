import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Area, Field } from '../../../components/form/Field.tsx';
import { Form } from '../../../components/form/Form.tsx';
import { Section } from '../../../components/section/Section.tsx';
import type { Connection } from './connection.ts';
import * as texts from './texts.ts';

interface FormProps {
  readonly connection: Connection;
}

type Attributes = { readonly name: string | null } | { readonly 'allowed-repositories': readonly string[] };

const change = (id: string, attributes: Attributes) =>
  workspaces.send('PATCH /oauth-clients/{oauth_client_id}', {
    path: { oauth_client_id: id },
    body: { data: { type: 'oauth-clients', attributes } },
  });

/** Patterns of the repositories that workspaces may follow. */
export function AllowedRepositories({ connection }: FormProps) {
  const [lines, setLines] = useState(connection.attributes['allowed-repositories'].join('\n'));
  const patterns = lines.split('\n').map((line) => line.trim());
  const save = useChange(() =>
    change(connection.id, { 'allowed-repositories': patterns.filter((pattern) => pattern !== '') }),
  );
  return (
    <Section title={texts.allowedRepositories}>
      <p className="soft">{texts.whoReadsWhat}</p>
      <Form
        action={texts.saveRepositories}
        isPrimary={false}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        fault={save.error}
        done={save.isSuccess && texts.saved}
      >
        <Area
          name="allowed-repositories"
          label={texts.allowedRepositories}
          help={texts.allowedHelp}
          isCode
          value={lines}
          onText={setLines}
        />
      </Form>
    </Section>
  );
}

/** Name of a connection. */
export function ConnectionName({ connection }: FormProps) {
  const [name, setName] = useState(connection.attributes.name ?? '');
  const save = useChange(() => change(connection.id, { name: name.trim() || null }));
  return (
    <Section title={texts.general}>
      <Form
        action={texts.save}
        isPrimary={false}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        fault={save.error}
        done={save.isSuccess && texts.saved}
      >
        <Field
          name="name"
          label={texts.name}
          help={texts.nameOfTheConnection}
          maxLength={255}
          value={name}
          onText={setName}
        />
      </Form>
    </Section>
  );
}
