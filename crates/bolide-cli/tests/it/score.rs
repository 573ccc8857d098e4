//! `bolide score`: results and formats.

use crate::program::Folder;

#[test]
fn the_table_has_systems_metrics_and_signatures() {
    let folder = Folder::new()
        .with("ref.txt", "Rain falls gently from the sky\n")
        .with("a.txt", "Gentle rain drops from the sky\n")
        .with("b.txt", "Rain falls gently from the sky\n");
    let args =
        ["score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "meteor:textbook", "-w", "3"];
    let expected = "\
system  meteor:textbook
a                 0.625
b                 0.998

meteor:textbook|nrefs:1|alpha:0.9|beta:3|gamma:0.5|bolide:VERSION
";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.bolide(&args).fine(), expected);
}
