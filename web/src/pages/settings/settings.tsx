import { Account } from './account.tsx';
import { Keys } from './keys.tsx';
import { Plan } from './plan.tsx';

/** Account settings: keys, plan, and the signed-in user. */
export function Page() {
  return (
    <>
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <div className="tiles">
        <Keys />
        <Plan />
        <Account />
      </div>
    </>
  );
}
