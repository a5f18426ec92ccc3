//! Every command as a user meets it: exit code, standard output and standard
//! error, word for word. `TRYCMD=overwrite cargo test -p recrawl --test
//! commands` takes the present answers; read the difference before keeping it.

#[test]
fn commands_answer_as_written() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
