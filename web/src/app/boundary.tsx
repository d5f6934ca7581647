import { Component, type ReactNode } from 'react';

interface BoundaryState {
  readonly failed: boolean;
}

/** An error in one page leaves the others usable. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <section className="card" role="alert">
        <h1>Something went wrong</h1>
        <p>Reload the page. If it keeps happening, contact support. Other pages and the API still work.</p>
      </section>
    );
  }
}
