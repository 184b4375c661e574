/** Who this is: names, team and drawn logos, in one place for an operator to replace. */
import logoEn from "../pictures/logo-en.svg";
import logoZh from "../pictures/logo-zh.svg";

export interface Brand {
  name: string;
  /** Named in the copyright line. */
  team: string;
  /** Address of the logo with the name set beside the mark. */
  logo: string;
}

export const brands: Record<"en" | "zh-CN", Brand> = {
  en: { name: "Everlit", team: "Everlit Team", logo: logoEn },
  "zh-CN": { name: "长明", team: "长明团队", logo: logoZh },
};
