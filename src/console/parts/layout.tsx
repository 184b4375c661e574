/** The page's own looks: the frame with its navigation, lists of facts, lists of lines, tables. */
import styled from "styled-components";

export const Frame = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: start;
  min-height: 100dvh;
  padding-block-end: calc(64px + var(--safe-bottom));

  @media (min-width: 900px) {
    grid-template: auto 1fr / 216px minmax(0, 1fr);
    align-content: normal;
    padding-block-end: 0;
  }
`;

export const Head = styled.header`
  position: sticky;
  top: 0;
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px 12px;
  padding: calc(10px + var(--safe-top)) var(--gutter) 10px;
  border-block-end: 1px solid var(--hairline);
  background: var(--ground);

  form {
    flex: 1 1 240px;
    order: 3;
  }
  @media (min-width: 900px) {
    grid-column: 1 / -1;
    padding-inline: 24px;

    form {
      order: 0;
      max-width: 560px;
    }
  }
`;

export const Brand = styled.span`
  display: flex;
  align-items: center;
  min-width: 0;
  margin-inline-end: auto;

  @media (min-width: 900px) {
    width: 192px;
    margin-inline-end: 0;
  }
`;

export const Who = styled.div`
  display: flex;
  align-items: center;
  gap: 4px;
  margin-inline-start: auto;
  font-size: var(--size-14);
  color: var(--soft);
  white-space: nowrap;
`;

export const Nav = styled.nav`
  position: fixed;
  inset: auto 0 0;
  z-index: 2;
  display: flex;
  padding: 4px 4px calc(4px + var(--safe-bottom));
  border-block-start: 1px solid var(--hairline);
  background: var(--card);

  /* Each as wide as its word, and an equal share of what is left: seven fit on a phone. */
  a {
    flex: 1 1 auto;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 2px;
    min-width: 0;
    min-height: 56px;
    border-radius: var(--radius-small);
    color: var(--soft);
    font-size: var(--size-12);
    font-weight: 550;
    line-height: 1.3;
    text-decoration: none;
    white-space: nowrap;
  }
  a[aria-current] {
    color: var(--ink);
    background: var(--well);
  }
  @media (min-width: 900px) {
    position: sticky;
    inset: auto;
    top: 77px;
    align-self: start;
    flex-direction: column;
    gap: 2px;
    padding: 20px 12px;
    border: 0;
    background: none;

    a {
      flex: none;
      flex-direction: row;
      justify-content: start;
      gap: 12px;
      min-height: 44px;
      padding-inline: 12px;
      font-size: var(--size-14);
    }
    a:hover {
      background: var(--well);
    }
  }
`;

export const Main = styled.main`
  display: flex;
  flex-direction: column;
  gap: 20px;
  width: 100%;
  max-width: 1000px;
  min-width: 0;
  padding: 20px var(--gutter) 32px;

  h1 {
    font-size: var(--size-26);
    overflow-wrap: anywhere;
  }
  /* Below the head, which stays where it is. */
  [tabindex="-1"] {
    scroll-margin-block: 140px;
  }
  @media (min-width: 900px) {
    padding: 24px 32px 48px 24px;
  }
`;

/** Cards beside each other, as many as there is room for. */
export const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
  gap: 16px;
`;

export const Facts = styled.dl`
  display: grid;
  grid-template-columns: fit-content(50%) minmax(0, 1fr);
  gap: 8px 16px;
  font-size: var(--size-14);

  dt {
    color: var(--soft);
  }
  dd {
    text-align: end;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  @media (min-width: 900px) {
    &[data-wide] dd {
      text-align: start;
    }
  }
`;

export const Lines = styled.ul`
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);
  overflow: hidden;

  > li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 4px 12px;
    align-items: center;
    padding: 12px 16px;
  }
  > li + li {
    border-block-start: 1px solid var(--hairline);
  }
`;

export const LineNote = styled.p`
  font-size: var(--size-14);
  color: var(--soft);
  overflow-wrap: anywhere;
`;

export const Code = styled.code`
  font-family: var(--mono);
  font-size: 0.9em;
  overflow-wrap: anywhere;
`;

export const Ending = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  justify-content: end;
  align-items: center;

  /* An order number stays on one line of a phone. */
  @media (max-width: 479px) {
    flex-direction: column;
    align-items: end;
  }
`;

export const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;

  button {
    width: auto;
  }
`;

export const Filters = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;

  a {
    display: inline-flex;
    align-items: center;
    min-height: 44px;
    padding: 4px 16px;
    border: 1px solid var(--edge);
    border-radius: 999px;
    color: var(--ink);
    font-size: var(--size-14);
    text-decoration: none;
  }
  a[aria-current] {
    border-color: var(--primary);
    background: var(--primary);
    color: var(--on-primary);
  }
`;

export const TableBox = styled.div`
  max-height: 320px;
  overflow: auto;

  table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--size-14);
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 6px 8px;
    border-block-end: 1px solid var(--hairline);
    text-align: end;
    white-space: nowrap;
  }
  th {
    color: var(--soft);
    font-weight: 550;
  }
  :is(th, td):first-child {
    text-align: start;
  }
`;

export const Story = styled.ol`
  > li {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 2px 12px;
    padding: 0 0 20px 24px;
  }
  > li::before {
    content: "";
    position: absolute;
    inset-block-start: 7px;
    inset-inline-start: 2px;
    width: 9px;
    height: 9px;
    border-radius: 50%;
    background: var(--edge);
  }
  > li[data-tone="money"]::before {
    background: var(--lamp);
  }
  > li:not(:last-child)::after {
    content: "";
    position: absolute;
    inset: 22px auto 0 6px;
    width: 1px;
    background: var(--hairline);
  }
`;
