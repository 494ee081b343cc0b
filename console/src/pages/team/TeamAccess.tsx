import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Check, FieldGroup } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { type Flag, MATRIX } from './access.ts';
import styles from './team.module.css';
import * as texts from './texts.ts';

type Team = Resources['teams'];

/** Permissions of a team in the whole organization; a form for users with permission to change them. */
export function TeamAccess({ team }: { readonly team: Team }) {
  const { attributes } = team;
  return (
    <Section title={texts.organizationAccess}>
      {attributes.permissions['can-update-organization-access'] ? (
        <AccessForm key={team.id} team={team} />
      ) : (
        <Table
          label={texts.permissionsOfTheTeam}
          flush
          items={MATRIX}
          keyOf={([about]) => about}
          columns={[
            { id: 'about', head: texts.area, isName: true, cell: ([about]) => about },
            {
              id: 'may',
              head: texts.permissions,
              cell: ([, flags]) => (
                <span className={styles.flags}>
                  {flags.map(([flag, words]) => {
                    const isOn = attributes['organization-access'][flag] || attributes.name === 'owners';
                    return (
                      <span key={flag} className={isOn ? '' : 'soft'}>
                        <Icon name={isOn ? 'check' : 'minus'} is={isOn ? 'good' : 'idle'} />
                        <span className="sr">{isOn ? texts.yes : texts.no}</span>
                        {words}
                      </span>
                    );
                  })}
                </span>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function AccessForm({ team }: { readonly team: Team }) {
  const before = team.attributes['organization-access'];
  const [access, setAccess] = useState(before);
  const changed = (Object.keys(access) as Flag[]).filter((flag) => access[flag] !== before[flag]);
  const save = useChange(() =>
    workspaces.send('PATCH /teams/{team_id}', {
      path: { team_id: team.id },
      body: {
        data: {
          type: 'teams',
          attributes: { 'organization-access': Object.fromEntries(changed.map((flag) => [flag, access[flag]])) },
        },
      },
    }),
  );
  return (
    <Form
      action={texts.saveAccess}
      isPrimary={false}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      off={changed.length === 0 && (save.isSuccess ? texts.saved : texts.noChanges)}
    >
      <div className={styles.matrix}>
        {MATRIX.map(([about, flags]) => (
          <FieldGroup key={about} label={about}>
            {flags.map(([flag, words]) => (
              <Check
                key={flag}
                label={words}
                checked={access[flag]}
                onCheck={(isOn) => setAccess((now) => ({ ...now, [flag]: isOn }))}
              />
            ))}
          </FieldGroup>
        ))}
      </div>
    </Form>
  );
}
