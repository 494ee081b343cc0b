import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { whyNoClaims } from '../../components/claims/claims.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Field, Select } from '../../components/form/Field.tsx';
import {
  changesOf,
  exampleOf,
  type Filled,
  filledOf,
  fresh,
  ISSUERS,
  type PipelineIdentity,
  whyNot,
  written,
} from './pipeline.ts';

const OTHER = 'other';
const ISSUER_OPTIONS = [
  ...Object.values(ISSUERS).map(({ issuer, name }) => [issuer, name] as const),
  [OTHER, 'another issuer'] as const,
];

interface PipelineDialogProps {
  readonly team: Resources['teams'];
  /** Undefined for a new one. */
  readonly identity: PipelineIdentity | undefined;
  readonly onClose: () => void;
}

/** Whose pipelines act for a team, and what has to be in their tokens. */
export function PipelineDialog({ team, identity, onClose }: PipelineDialogProps) {
  const before = identity ? filledOf(identity) : fresh(location.origin);
  const [filled, setFilled] = useState(before);
  const isKnown = ISSUER_OPTIONS.some(([issuer]) => issuer === before.issuer);
  const [chosen, setChosen] = useState(isKnown ? before.issuer : OTHER);
  const set = (change: Partial<Filled>) => setFilled((known) => ({ ...known, ...change }));
  const unready = whyNot(filled);
  const changes = identity && !unready ? changesOf(before, filled) : {};
  const endsTokens = ['issuer', 'jwks-url', 'audiences', 'claims'].some((name) => name in changes);
  const change = useChange(
    () =>
      identity
        ? workspaces.send('PATCH /pipeline-identities/{pipeline_identity_id}', {
            path: { pipeline_identity_id: identity.id },
            body: { data: { type: 'pipeline-identities', attributes: changes } },
          })
        : workspaces.send('POST /teams/{team_id}/pipeline-identities', {
            path: { team_id: team.id },
            body: { data: { type: 'pipeline-identities', attributes: written(filled) } },
          }),
    () => {
      announce(identity ? 'Changed' : 'Added');
      onClose();
    },
  );
  return (
    <AskDialog
      title={identity ? 'Change a pipeline identity' : `Add a pipeline identity to team ${team.attributes.name}`}
      action={identity ? 'Change' : 'Add'}
      busy={change.isPending}
      fault={change.error}
      off={unready || (identity && Object.keys(changes).length === 0 && 'Nothing has changed')}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field
        name="description"
        label="Description"
        help="For people."
        value={filled.description}
        onText={(description) => set({ description })}
        autoFocus
      />
      <Select
        label="Pipelines of"
        value={chosen}
        options={ISSUER_OPTIONS}
        onText={(next) => {
          setChosen(next);
          set({ issuer: next === OTHER ? '' : next });
        }}
      />
      {chosen === OTHER && (
        <>
          <Field
            name="issuer"
            label="Issuer"
            help="What iss is, to the letter. The document below it says where its keys are."
            placeholder="https://gitlab.example.com"
            value={filled.issuer}
            onText={(issuer) => set({ issuer })}
            spellCheck={false}
          />
          <Field
            name="jwks-url"
            label="Keys"
            help="Their address, for an issuer without such a document."
            value={filled.jwksUrl}
            onText={(jwksUrl) => set({ jwksUrl })}
            spellCheck={false}
          />
        </>
      )}
      <Area
        name="claims"
        label="Claims"
        help={
          whyNoClaims(filled.claims) ??
          'All of them hold: name = value, one in a line; * for any characters, several values in [ ]. Bind what only your own pipelines can have.'
        }
        isCode
        rows={4}
        placeholder={exampleOf(filled.issuer)}
        value={filled.claims}
        onText={(claims) => set({ claims })}
      />
      <Area
        name="audiences"
        label="Audiences"
        help="One of these is in aud, one in a line: tokens that are meant for others mean nothing here."
        isCode
        rows={2}
        value={filled.audiences}
        onText={(audiences) => set({ audiences })}
      />
      <Field
        name="token-ttl"
        label="Token lives"
        help="Seconds, from 60 to 3600."
        inputMode="numeric"
        value={filled.ttl}
        onText={(ttl) => set({ ttl })}
      />
      {endsTokens && <p>Tokens that its pipelines have end at once.</p>}
    </AskDialog>
  );
}
