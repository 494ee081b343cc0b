import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';

/** What a team is called, and who sees it. */
export function TeamSettings({ team }: { readonly team: Resources['teams'] }) {
  const { attributes } = team;
  const [name, setName] = useState(attributes.name);
  const [visibility, setVisibility] = useState<string>(attributes.visibility);
  const [tokens, setTokens] = useState(attributes['allow-member-token-management']);
  const save = useChange(() =>
    workspaces.send('PATCH /teams/{team_id}', {
      path: { team_id: team.id },
      body: {
        data: {
          type: 'teams',
          attributes: {
            name,
            visibility: visibility === 'secret' ? 'secret' : 'organization',
            'allow-member-token-management': tokens,
          },
        },
      },
    }),
  );
  return (
    <Section title="Settings">
      <Form
        action="Save settings"
        isPrimary={false}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        fault={save.error}
        done={save.isSuccess && 'Saved'}
      >
        <Field name="name" label="Name" maxLength={90} value={name} onText={setName} />
        <Select
          name="visibility"
          label="Seen by"
          value={visibility}
          options={[
            ['organization', 'everybody in the organization'],
            ['secret', 'its members alone'],
          ]}
          onText={setVisibility}
        />
        <Check
          name="allow-member-token-management"
          label="Members make and revoke tokens of the team"
          checked={tokens}
          onCheck={setTokens}
        />
      </Form>
    </Section>
  );
}
