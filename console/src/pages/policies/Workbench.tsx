import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/generated/access.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button } from '../../components/button/Button.tsx';
import { changedLines } from '../../components/editor/Diff.tsx';
import { Editor } from '../../components/editor/Editor.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { Ask } from './Ask.tsx';
import { DeletePolicy } from './DeletePolicy.tsx';
import explain from './explain.module.css';
import { faultIn, marksOf, warningsOf } from './marks.ts';
import styles from './policies.module.css';
import { capabilityOf, policiesOf, readTests, writeTests } from './question.ts';
import { Review } from './Review.tsx';
import { Tests } from './Tests.tsx';
import * as texts from './texts.ts';
import { summaryOf, UsedBy, type Uses, useUses } from './UsedBy.tsx';
import { useDraft, useSettled } from './use-draft.ts';
import { refusalOf, useExplanation, useTests } from './use-explanation.ts';
import { Rules, Verdict } from './Verdict.tsx';

export type Policy = Schemas['AclPolicy'];

const FIRST_TEXT = `# Purpose of this policy

path "auth/token/lookup-self" {
  capabilities = ["read"]
}
`;
const EXPLAIN = 'sys/policies/explain';
const FIXED = new Set(['root', 'response-wrapping']);

/** Policy editor with the request check beside it. */
export function Workbench({ stored }: { readonly stored: Policy | undefined }) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const navigate = useNavigate();
  const change = (more: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, ...more })) as never, replace: true });

  const [typed, setTyped] = useState('');
  const name = stored?.name ?? typed.trim().toLowerCase();
  const may = useMay([`sys/policies/acl/${name || '+'}`, EXPLAIN]);
  const mayWrite = !FIXED.has(name) && may(`sys/policies/acl/${name || '+'}`, 'update', 'create');
  const mayExplain = may(EXPLAIN, 'update');

  const [draft, setDraft] = useDraft(stored?.name ?? '');
  const before = stored?.policy ?? '';
  const text = draft ?? (stored ? before : FIRST_TEXT);
  const settled = useSettled(text);
  const isDraft = stored === undefined || settled !== before;
  const [asks, setAsks] = useState<'save' | 'delete'>();

  const capability = capabilityOf(search);
  const subject = {
    ...(search.accessor ? { accessor: search.accessor } : { policies: [name || 'new', ...policiesOf(search)] }),
    ...(isDraft && settled !== '' && { draft: settled, draft_name: name || 'new' }),
  };
  // The text is checked even without a path, so that syntax errors are shown.
  const path = useSettled(search.path ?? '') || `sys/policies/acl/${name || 'new'}`;
  const isAsked = mayExplain && !FIXED.has(name);
  const explained = useExplanation({ ...subject, path, capability }, isAsked);
  const refusal = refusalOf(explained);
  const explanation = search.path && !refusal ? explained.data?.data : undefined;
  const tests = useMemo(() => readTests(search.tests), [search.tests]);
  const passed = useTests(tests, subject, isAsked && !refusal);

  const changed = useMemo(() => (stored ? changedLines(before, settled) : undefined), [stored, before, settled]);
  const marks = useMemo(() => {
    const fault = refusal === undefined ? undefined : faultIn(refusal);
    const known = fault ? [] : warningsOf(explained.data?.warnings, name);
    return [...marksOf(explanation, name, settled), ...known, ...(fault ? [fault] : [])];
  }, [refusal, explanation, explained.data, name, settled]);
  const shown = useMemo(() => ({ marks, changed: changed?.added ?? [] }), [marks, changed]);

  const uses = useUses(stored?.name ?? '');
  const form = useRef<HTMLFormElement>(null);
  const ask = () => form.current?.querySelector('input')?.focus();
  useShortcuts([{ keys: 'e', label: texts.explain2, hint: true, run: ask }]);
  const isNew = stored === undefined;
  const isChanged = isNew || text !== before;
  const off = !isChanged ? texts.noChanges : isNew && name === '' && texts.enterAName;
  const save = () => {
    if (mayWrite && !off) setAsks('save');
  };
  const inView =
    explanation && search.path ? { capability, path: search.path, allowed: explanation.allowed } : undefined;
  return (
    <div className={styles.page}>
      <PageHead
        title={stored?.name ?? texts.newPolicy}
        beside={stored && <About policy={stored} uses={uses} />}
        actions={
          mayWrite && (
            <>
              <span className="soft" role="status">
                {off || (stored && summary(changed))}
              </span>
              {stored && isChanged && <Button onClick={() => setDraft(undefined)}>{texts.discard}</Button>}
              <Button look="primary" off={off} onClick={save}>
                {texts.reviewAndSave}
              </Button>
            </>
          )
        }
      />
      {isNew && (
        <div className={styles.name}>
          <Field label={texts.name} value={typed} onText={setTyped} autoComplete="off" help={texts.notCaseSensitive} />
        </div>
      )}
      <div className={styles.bench}>
        <section aria-label={texts.text} className={styles.text}>
          {name === 'root' ? (
            <p className={styles.says}>{texts.theRootPolicyHas}</p>
          ) : (
            <Editor
              label={texts.textOfThePolicy}
              text={text}
              isFixed={!mayWrite && !isNew}
              shown={shown}
              at={search.line === undefined ? undefined : Number(search.line)}
              onText={(next) => setDraft(next === before && stored ? undefined : next)}
              onSave={save}
              onAsk={ask}
            />
          )}
        </section>
        <aside className={explain.panel} aria-label={texts.requestCheck}>
          <Ask form={form} question={search} onChange={change} name={name || 'new'} isDraft={isDraft} />
          {!mayExplain && (
            <p className={`${explain.part} soft`}>
              {texts.yourTokenHasNo} <code>update on {EXPLAIN}</code>.
            </p>
          )}
          {refusal && (
            <div className={explain.part}>
              <Banner is="bad" icon="err">
                {refusal}
              </Banner>
            </div>
          )}
          {mayExplain && !refusal && !search.path && <p className={`${explain.part} soft`}>{texts.enterAPathTo2}</p>}
          {explanation && <Verdict explanation={explanation} name={name} />}
          {explanation && <Rules explanation={explanation} name={name} />}
          {mayExplain && (
            <Tests
              tests={tests}
              passed={passed}
              inView={inView}
              onChange={(next) => change({ tests: writeTests(next) || undefined })}
              onOpen={(test) => change({ path: test.path, capability: test.capability })}
            />
          )}
          {uses && <UsedBy uses={uses} />}
          {stored && <DeletePolicy name={name} uses={uses} />}
        </aside>
      </div>
      {asks === 'save' && (
        <Review
          name={name}
          stored={stored}
          text={text}
          failing={tests.filter((_, index) => passed[index] === false).length}
          onClose={() => setAsks(undefined)}
          onSaved={() => {
            setDraft(undefined);
            setAsks(undefined);
            if (isNew) void navigate({ to: '/~access/policies/acl/$name', params: { name } });
          }}
        />
      )}
    </div>
  );
}

function About({ policy: { version, modified, expiration }, uses }: { policy: Policy; uses: Uses | undefined }) {
  return (
    <span className="soft">
      {texts.policyVersion(version)}
      {uses && <>{texts.usedBy3(summaryOf(uses))}</>}
      {modified && (
        <>
          {texts.updated2} <Ago time={modified} inWords /> {texts.ago}
        </>
      )}
      {expiration && <>{texts.expires(expiration)}</>}
    </span>
  );
}

function summary(changed: ReturnType<typeof changedLines>): string {
  if (!changed) return texts.changed;
  const { added, removed } = changed;
  return [added.length > 0 && texts.added(counted(added.length, texts.line2)), removed > 0 && texts.removed(removed)]
    .filter(Boolean)
    .join(', ');
}
