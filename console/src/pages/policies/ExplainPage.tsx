import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Ask } from './Ask.tsx';
import explain from './explain.module.css';
import styles from './policies.module.css';
import { capabilityOf, policiesOf } from './question.ts';
import * as texts from './texts.ts';
import { useSettled } from './use-draft.ts';
import { EXPLAIN, refusalOf, useExplanation } from './use-explanation.ts';
import { Rules, Verdict } from './Verdict.tsx';

const route = getRouteApi('/signed-in/~access/policies/explain');
const PATH = 'sys/policies/explain';

/** Shows whether a request would be allowed, and why: for the current token, another token, or policies. */
export function ExplainPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const path = useSettled(search.path ?? '');
  const policies = policiesOf(search);
  const body = {
    path,
    capability: capabilityOf(search),
    ...(search.accessor ? { accessor: search.accessor } : policies.length > 0 && { policies }),
  };
  usePlace([
    { label: texts.access },
    { label: texts.policies, to: '/~access/policies' },
    { label: texts.requestCheck },
  ]);
  usePathLine({
    request: access.request(EXPLAIN, { body }),
    command: `lockkeeper write ${PATH} path=${path || 'PATH'} capability=${body.capability}`,
  });
  const may = useMay([PATH]);
  const mayAsk = may(PATH, 'update');
  const explained = useExplanation(body, mayAsk && path !== '');
  const refusal = refusalOf(explained);
  return (
    <>
      <PageHead title={texts.requestCheck} lede={texts.showsWhetherARequest} />
      <div className={styles.alone}>
        <Ask
          question={search}
          onChange={(more) =>
            void navigate({ to: '.', search: ((before: object) => ({ ...before, ...more })) as never, replace: true })
          }
        />
        {!mayAsk && (
          <p className={`${explain.part} soft`}>
            {texts.yourTokenHasNo} <code>update on {PATH}</code>.
          </p>
        )}
        {refusal && (
          <div className={explain.part}>
            <Banner is="bad" icon="err">
              {refusal}
            </Banner>
          </div>
        )}
        {mayAsk && path === '' && <p className={`${explain.part} soft`}>{texts.enterAPathTo}</p>}
        {mayAsk && path !== '' && !refusal && (
          <QueryResult query={explained} what={texts.theExplanation}>
            {({ data, warnings }) => (
              <>
                <Verdict explanation={data} />
                <Rules explanation={data} />
                <Sources sources={data.policy_sources} />
                {warnings && (
                  <div className={explain.part}>
                    <h2>{texts.warnings}</h2>
                    <ul>
                      {warnings.map((warning) => (
                        <li key={warning}>{warning}</li>
                      ))}
                    </ul>
                  </div>
                )}
              </>
            )}
          </QueryResult>
        )}
      </div>
    </>
  );
}

type Found = NonNullable<ReturnType<typeof useExplanation>['data']>['data']['policy_sources'];

/** Sources of the token's policies. */
function Sources({ sources }: { readonly sources: Found }) {
  if (!sources) return null;
  const { token, entity, groups } = sources;
  return (
    <div className={explain.part}>
      <h2>{texts.sourcesOfThePolicies}</h2>
      <dl className={styles.sources}>
        <Source from={texts.theToken} policies={token} />
        <Source from={texts.itsEntity} policies={entity} />
        {groups.map(({ id, name, policies }) => (
          <Source key={id} from={texts.groupNamed(name)} policies={policies} />
        ))}
      </dl>
    </div>
  );
}

function Source({ from, policies }: { readonly from: string; readonly policies: readonly string[] }) {
  if (policies.length === 0) return null;
  return (
    <>
      <dt className="soft">{from}</dt>
      <dd>{policies.join(', ')}</dd>
    </>
  );
}
