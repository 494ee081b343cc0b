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
import * as texts from './texts.ts';

const OTHER = 'other';
const ISSUER_OPTIONS = [
  ...Object.values(ISSUERS).map(({ issuer, name }) => [issuer, name] as const),
  [OTHER, texts.otherIssuer] as const,
];

interface PipelineDialogProps {
  readonly team: Resources['teams'];
  /** Undefined for a new identity. */
  readonly identity: PipelineIdentity | undefined;
  readonly onClose: () => void;
}

/** Form for a pipeline identity: the issuer, and the claims that its tokens must have. */
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
      announce(identity ? texts.pipelineIdentityUpdated : texts.pipelineIdentityAdded);
      onClose();
    },
  );
  return (
    <AskDialog
      title={identity ? texts.changePipelineIdentity : texts.addPipelineIdentityToTeam(team.attributes.name)}
      action={identity ? texts.change : texts.add}
      busy={change.isPending}
      fault={change.error}
      off={unready || (identity && Object.keys(changes).length === 0 && texts.noChanges)}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field
        name="description"
        label={texts.description}
        help={texts.shownToPeopleOnly}
        value={filled.description}
        onText={(description) => set({ description })}
        autoFocus
      />
      <Select
        label={texts.ciSystem}
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
            label={texts.issuer}
            help={texts.theIssClaimOf}
            placeholder="https://gitlab.example.com"
            value={filled.issuer}
            onText={(issuer) => set({ issuer })}
            spellCheck={false}
          />
          <Field
            name="jwks-url"
            label={texts.jwksUrl}
            help={texts.urlOfTheKeys}
            value={filled.jwksUrl}
            onText={(jwksUrl) => set({ jwksUrl })}
            spellCheck={false}
          />
        </>
      )}
      <Area
        name="claims"
        label={texts.claims}
        help={whyNoClaims(filled.claims) ?? texts.everyClaimMustMatch}
        isCode
        rows={4}
        placeholder={exampleOf(filled.issuer)}
        value={filled.claims}
        onText={(claims) => set({ claims })}
      />
      <Area
        name="audiences"
        label={texts.audiences}
        help={texts.theAudClaimMust}
        isCode
        rows={2}
        value={filled.audiences}
        onText={(audiences) => set({ audiences })}
      />
      <Field
        name="token-ttl"
        label={texts.tokenLifetime}
        help={texts.secondsFrom60To3600}
        inputMode="numeric"
        value={filled.ttl}
        onText={(ttl) => set({ ttl })}
      />
      {endsTokens && <p>{texts.thisChangeRevokesThe}</p>}
    </AskDialog>
  );
}
