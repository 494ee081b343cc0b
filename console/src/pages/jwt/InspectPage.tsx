import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { TokenAsked, TokenShown } from '../../components/claims/Token.tsx';
import { Field } from '../../components/form/Field.tsx';
import { NotAllowed } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Answer, Sides, Verdicts } from '../../components/verdicts/Verdicts.tsx';
import { admittingFirst, answerOf, sorted } from '../../components/verdicts/verdicts.ts';
import { useMay } from '../../shell/may.ts';
import { Frame } from './Frame.tsx';
import { roleFor } from './role-for.ts';
import * as texts from './texts.ts';

const EXPLAIN = 'POST /auth/{jwt_mount_path}/login/explain';
const route = getRouteApi('/signed-in/~access/jwt/inspect');

/** Shows which roles would accept a token, and why others refuse it. */
export function InspectPage() {
  const { mount = 'jwt', role } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/jwt/inspect' });
  const [token, setToken] = useState('');
  const path = { jwt_mount_path: mount };
  usePathLine({
    request: access.request(EXPLAIN, { path, body: {} }),
    command: `lockkeeper write auth/${mount}/login/explain ${role ? `role=${role} ` : ''}jwt=@token`,
  });
  const explain = useMutation({
    mutationFn: () => access.send(EXPLAIN, { path, body: { jwt: token.trim(), ...(role && { role }) } }),
  });
  const isRefused = explain.error instanceof ApiError && [401, 403].includes(explain.error.status);
  const answer = explain.data?.data;
  return (
    <Frame title={texts.tokenInspector} mount={mount} lede={texts.showsWhichRolesWould}>
      <Sides
        about={texts.token}
        asked={
          answer ? (
            <TokenShown algorithm={answer.algorithm} keyId={answer.key_id} claims={answer.claims}>
              <Button look="small" onClick={() => explain.reset()}>
                {texts.inspectAnother}
              </Button>
            </TokenShown>
          ) : (
            <TokenAsked
              token={token}
              onToken={setToken}
              busy={explain.isPending}
              fault={isRefused ? null : explain.error}
              onSubmit={() => explain.mutate()}
            >
              <Field
                label={texts.role}
                help={texts.checksOnlyThisRole}
                value={role ?? ''}
                onText={(next) => void navigate({ search: (before) => ({ ...before, role: next }), replace: true })}
              />
            </TokenAsked>
          )
        }
        answer={
          <>
            {isRefused && (
              <NotAllowed
                what={texts.theVerdicts}
                error={explain.error as ApiError}
                missing={<code>update on auth/{mount}/login/explain</code>}
              />
            )}
            {answer && <Told mount={mount} of={answer} />}
          </>
        }
      />
    </Frame>
  );
}

function Told({ mount, of: answer }: { readonly mount: string; readonly of: AccessSchemas['JwtExplanation'] }) {
  const may = useMay([`auth/${mount}/role/+`]);
  const { claims, verdicts } = answer;
  const roles = admittingFirst(answer.roles);
  const { refused, passed } = sorted(verdicts);
  const [only] = roles.map(({ alias_name: name }) => name).filter(Boolean);
  return (
    <>
      <Answer
        says={claims === null ? texts.thisIsNotAToken : answerOf(roles, answer.roles_left_out)}
        ways={
          !answer.admitted &&
          claims !== null && (
            <>
              <Link className={buttonClass()} to="/~access/jwt/configuration" search={{ mount }}>
                {texts.configurationOfAuth(mount)}
              </Link>
              {may(`auth/${mount}/role/+`, 'create', 'update') && (
                <Link
                  className={buttonClass()}
                  to="/~access/jwt/roles/~new"
                  search={{ mount }}
                  state={{ tokenRole: roleFor(claims) }}
                >
                  {texts.createARoleFor}
                </Link>
              )}
            </>
          )
        }
      >
        {roles.length === 1 && only ? (
          <>
            {texts.alias} <code>{only}</code>
            {texts.evaluated}
          </>
        ) : (
          texts.evaluated2
        )}{' '}
        {texts.forALoginAt} <code>auth/{mount}</code>
      </Answer>
      {answer.error !== null && answer.roles.some(({ admitted }) => admitted) && (
        <Banner is="attention" icon="warn">
          {texts.aLoginWithoutA(answer.error)}
        </Banner>
      )}
      <Verdicts
        name={texts.theToken}
        isAdmitted={refused.length === 0}
        says={refused.length === 0 ? texts.valid : texts.notValid}
        refused={refused}
        passed={passed}
        isOpen={refused.length > 0}
      />
      {roles.map((one, at) => (
        <Verdicts
          key={one.role}
          name={one.role}
          isAdmitted={one.admitted}
          {...sorted(one.verdicts)}
          isOpen={roles.length <= 3 || (at === 0 && one.admitted)}
        />
      ))}
    </>
  );
}
