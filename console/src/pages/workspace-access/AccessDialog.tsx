import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { FieldGroup, Select } from '../../components/form/Field.tsx';
import { Rights, WORKSPACE_STEPS } from '../../components/rights/Rights.tsx';
import { FEW, FLAGS, LEVELS, rightsOf, type TeamAccess } from './levels.ts';
import * as texts from './texts.ts';

interface AccessDialogProps {
  readonly workspace: string;
  /** Teams that can get access; only one team if existing access is changed. */
  readonly teams: readonly (readonly [id: string, name: string])[];
  /** Undefined for new access. */
  readonly access?: TeamAccess;
  readonly onClose: () => void;
}

/** Form for the access of a team to the workspace: an access level, or custom permissions. */
export function AccessDialog({ workspace, teams, access, onClose }: AccessDialogProps) {
  const [team, setTeam] = useState(teams[0]?.[0] ?? '');
  const [level, setLevel] = useState(access?.attributes.access ?? 'read');
  const [rights, setRights] = useState(access ? rightsOf(access.attributes) : FEW);
  const name = teams.find(([id]) => id === team)?.[1] ?? team;
  const attributes = { access: level, ...(level === 'custom' && rights) };
  const change = useChange(
    (): Promise<unknown> =>
      access
        ? workspaces.send('PATCH /team-workspaces/{team_workspace_id}', {
            path: { team_workspace_id: access.id },
            body: { data: { type: 'team-workspaces', attributes } },
          })
        : workspaces.send('POST /team-workspaces', {
            body: {
              data: {
                type: 'team-workspaces',
                attributes,
                relationships: {
                  team: { data: { type: 'teams', id: team } },
                  workspace: { data: { type: 'workspaces', id: workspace } },
                },
              },
            },
          }),
    () => {
      announce(texts.accessOf(name, level));
      onClose();
    },
  );
  return (
    <AskDialog
      wide={level === 'custom'}
      title={access ? texts.accessOf2(name) : texts.grantAccessToATeam}
      action={access ? texts.save : texts.grantAccess}
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {!access && <Select name="team" label={texts.team} value={team} options={teams} onText={setTeam} />}
      <Select
        name="access"
        label={texts.access}
        value={level}
        options={LEVELS}
        onText={(next) => setLevel(next as typeof level)}
      />
      {level === 'custom' && (
        <FieldGroup label={texts.permissions}>
          <Rights
            steps={WORKSPACE_STEPS}
            flags={FLAGS}
            rights={rights}
            onRight={(key, value) => setRights((now) => ({ ...now, [key]: value }))}
          />
        </FieldGroup>
      )}
    </AskDialog>
  );
}
