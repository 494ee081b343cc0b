import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { TokenAsked, TokenShown } from '../../components/claims/Token.tsx';
import { Command } from '../../components/command/Command.tsx';
import { Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Answer, Sides, Verdicts } from '../../components/verdicts/Verdicts.tsx';
import { admittingFirst, answerOf, sorted } from '../../components/verdicts/verdicts.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { exchangeOf, ISSUERS, snippetOf } from './pipeline.ts';
import styles from './team.module.css';
import * as texts from './texts.ts';

const SHOW = 'GET /teams/{team_id}';
const LIST = 'GET /teams/{team_id}/pipeline-identities';
const EXPLAIN = 'POST /teams/{team_id}/pipeline-explanation';
const route = getRouteApi('/signed-in/$organization/teams/$team/pipelines');

/**
 * Pipeline page: shows whether the token of a pipeline would be accepted and why not, and how to configure the
 * pipeline.
 */
export function PipelinesPage() {
  const { organization, team: id } = route.useParams();
  const path = { team_id: id };
  const team = useQuery(workspaces.query(SHOW, { path }));
  // This request checks the permission before the user pastes a token.
  const identities = useQuery(workspaces.query(LIST, { path }));
  const name = team.data?.data.attributes.name ?? id;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.teams, to: `/${organization}/teams` },
    { label: name, to: `/${organization}/teams/${id}` },
    { label: texts.pipelines },
  ]);
  usePathLine({
    request: workspaces.request(EXPLAIN, { path }),
    command: `lockkeeper api POST teams/${id}/pipeline-explanation --data @token.json`,
  });
  return (
    <QueryResult query={identities} what={texts.pipelines} missing={<code>can-manage-machine-identities</code>} isPage>
      {() => (
        <>
          <PageHead
            title={texts.pipelines}
            beside={<span className="soft">{texts.ofTeam(name)}</span>}
            lede={texts.showsWhetherTheToken}
          />
          <Explained team={id} />
          <Section title={texts.pipelineConfiguration}>
            <Written team={`${organization}/${name}`} />
          </Section>
        </>
      )}
    </QueryResult>
  );
}

function Explained({ team }: { readonly team: string }) {
  const [token, setToken] = useState('');
  const explain = useChange(() =>
    workspaces.send(EXPLAIN, {
      path: { team_id: team },
      body: { data: { type: 'pipeline-explanations', attributes: { token: token.trim() } } },
    }),
  );
  const answer = explain.data?.data.attributes;
  return (
    <Sides
      about={texts.token}
      asked={
        answer ? (
          <TokenShown
            algorithm={answer.algorithm}
            keyId={answer['key-id']}
            claims={answer.claims as Readonly<Record<string, unknown>> | null}
          >
            <Button look="small" onClick={() => explain.reset()}>
              {texts.inspectAnotherToken}
            </Button>
          </TokenShown>
        ) : (
          <TokenAsked
            token={token}
            onToken={setToken}
            busy={explain.isPending}
            fault={explain.error}
            onSubmit={() => explain.mutate()}
          />
        )
      }
      answer={answer && <Told of={answer} />}
    />
  );
}

function Told({
  of: { claims, identities, verdicts },
}: {
  readonly of: Resources['pipeline-explanations']['attributes'];
}) {
  const { refused, passed } = sorted(verdicts);
  return (
    <>
      <Answer says={claims === null ? texts.thisIsNotAToken : answerOf(identities, 0, ['identity', 'identities'])}>
        {texts.evaluatedForALoginNow}
      </Answer>
      {verdicts.length > 0 && (
        <Verdicts
          name={texts.theTokenItself}
          isAdmitted={false}
          says={texts.notValid}
          refused={refused}
          passed={passed}
          isOpen
        />
      )}
      {admittingFirst(identities).map((one, at) => (
        <Verdicts
          key={one.id}
          name={one.description || one.id}
          isAdmitted={one.admitted}
          {...sorted(one.verdicts)}
          isOpen={identities.length <= 3 || (at === 0 && one.admitted)}
        />
      ))}
    </>
  );
}

/** Configuration for the CI system; the URL selects which one. */
function Written({ team }: { readonly team: string }) {
  const { in: kind = 'github' } = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/teams/$team/pipelines' });
  const snippet = kind === 'other' ? exchangeOf(location.origin, team) : snippetOf(kind, location.origin, team);
  return (
    <div className={styles.written}>
      <Select
        label={texts.ciSystem}
        value={kind}
        options={[...Object.entries(ISSUERS).map(([one, { name }]) => [one, name] as const), ['other', texts.other]]}
        onText={(next) =>
          void navigate({ search: next === 'github' ? {} : { in: next as 'gitlab' | 'other' }, replace: true })
        }
      />
      <p className="soft">
        {kind === 'other' ? (
          texts.anyOauthClientCan
        ) : (
          <>
            {texts.withTheCredentialsHelper} <code>tofu</code> {texts.and} <code>terraform</code>{' '}
            {texts.logInByThemselves}
          </>
        )}
      </p>
      <Command text={snippet} what={texts.configuration} />
    </div>
  );
}
