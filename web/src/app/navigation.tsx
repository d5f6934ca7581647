import { Link } from 'wouter';
import { PAGE_GROUPS } from '../address/pages.ts';

/** Links to all pages. */
export function Navigation({ location }: { readonly location: string }) {
  return (
    <nav id="navigation" aria-label="Pages">
      {PAGE_GROUPS.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ path, title: name }) => (
              <li key={path}>
                <Link href={path} aria-current={path === location ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="muted note">Prompts and responses are encrypted and never shown.</p>
    </nav>
  );
}
